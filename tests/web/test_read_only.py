"""A database that takes no writes, as Supabase makes one that has outgrown its plan."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, update

from core.config import Settings
from core.models import BrowserSession, Profile
from flask_app import create_app
from services.accounts.person import person_of
from services.accounts.sessions import client_of, create_session
from services.context import Context, open_context
from tests.support.factories import make_season

_READ_ONLY = "&options=-c%20default_transaction_read_only%3Don"


@pytest.fixture
def client(settings: Settings, context: Context, people: dict[str, Profile]) -> Iterator[FlaskClient]:
    """An admin who signed in a while before."""
    secret = create_session(context, person_of(people["admin"]), client_of("127.0.0.1", ""))
    with context.database.session() as session:
        make_season(session)
        session.execute(update(BrowserSession).values(last_seen_at=func.now() - timedelta(minutes=9)))
    full = open_context(settings.model_copy(update={"database_url": f"{settings.database_url}{_READ_ONLY}"}))
    app = create_app(full.settings, full)
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    client = app.test_client()
    with client.session_transaction() as session:
        session["_user_id"] = secret
    yield client
    full.close()


@pytest.mark.parametrize("page", ["/submissions", "/review", "/upload", "/schools", "/admin/queue", "/healthz"])
def test_pages_open(client: FlaskClient, page: str) -> None:
    assert client.get(page).status_code == 200


def test_what_is_sent_is_refused_with_a_sentence(client: FlaskClient) -> None:
    files = {"files": (io.BytesIO(b"%PDF-1.4"), "a.pdf")}
    answer = client.post("/upload", data=files, content_type="multipart/form-data")
    assert answer.status_code == 503 and "Nothing was lost" in answer.text
