"""The site on a test's own database: a context that is tidied up, and people who are signed in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask.testing import FlaskClient
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from core.config import Settings
from core.models import Profile
from services.accounts.person import person_of
from services.accounts.sessions import client_of, create_session
from services.context import Context, open_context
from tests.support import factories
from tests.support.tables import empty_tables, keep_connection, take_kept_connection
from web.access import EXTENSION


@contextmanager
def tidy_context(settings: Settings) -> Iterator[Context]:
    """Opened parts; every row and every key is gone at the end."""
    context = open_context(settings)
    keeps = settings.database_url is not None and not settings.database_transaction_pooler
    if keeps:
        take_kept_connection(context.database)
    try:
        yield context
    finally:
        with context.database.session() as session:
            empty_tables(session)
        if keeps:
            keep_connection(context.database)
        context.redis.flushdb()
        context.close()


def person(context: Context, role: str, **values: object) -> Profile:
    """Somebody with this role, without a password."""
    with context.database.session() as session:
        return factories.make_profile(session, role, **values)


def sign_in_as(client: FlaskClient, profile: Profile) -> None:
    """Give the client the session that signing in gives."""
    context = client.application.extensions[EXTENSION].get()
    secret = create_session(context, person_of(profile), client_of("127.0.0.1", ""))
    with client.session_transaction() as session:
        session["_user_id"] = secret


def unreachable_redis() -> Redis:
    """A client whose server is away, and that says so at once."""
    return Redis(host="127.0.0.1", port=1, retry=Retry(NoBackoff(), 0))
