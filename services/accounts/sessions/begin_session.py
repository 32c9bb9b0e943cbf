"""Begin the session of a browser. The cookie gets a secret, the row its hash."""

from __future__ import annotations

import secrets
import uuid

from sqlalchemy import insert, literal, select, update
from sqlalchemy.orm import Session

from core.errors import SignInError
from core.models import AuthSession, BrowserSession, Profile, SecurityEventKind
from services.accounts.person import Person
from services.accounts.sessions.client import Client
from services.accounts.sessions.secret import hash_of
from services.context import Context
from services.security_events import record_event


def begin_session(context: Context, person: Person, client: Client) -> str:
    """Make the session and return its secret.

    Raises SignInError if the account's sessions were ended since `person` was read: whoever gave a password that
    is replaced in this moment gets no session. Where Supabase Auth keeps the passwords, also without what it has
    granted for this sign-in.
    """
    secret = secrets.token_urlsafe(32)
    values = select(
        Profile.id,
        Profile.session_version,
        literal(hash_of(secret)),
        literal(client.family),
        literal(client.user_agent),
    ).where(Profile.id == person.id, Profile.session_version == person.session_version)
    columns = ["profile_id", "session_version", "secret_hash", "address_family", "user_agent"]
    with context.database.session() as session:
        made = session.scalar(insert(BrowserSession).from_select(columns, values).returning(BrowserSession.id))
        if made is None:
            raise SignInError("the account was changed during sign-in")
        if context.auth is not None:
            _bind(session, person, made)
        record_event(
            session,
            SecurityEventKind.SIGN_IN,
            actor_id=person.id,
            network=client.network,
            browser=client.user_agent,
        )
    return secret


def _bind(session: Session, person: Person, session_id: uuid.UUID) -> None:
    """Use what Auth has granted for this session; it is good for one."""
    bound = session.execute(
        update(AuthSession)
        .where(
            AuthSession.id == person.auth_session,
            AuthSession.profile_id == person.id,
            AuthSession.session_id.is_(None),
        )
        .values(session_id=session_id)
        .returning(AuthSession.id)
    ).first()
    if bound is None:
        raise SignInError("Supabase Auth has granted nothing for this sign-in")
