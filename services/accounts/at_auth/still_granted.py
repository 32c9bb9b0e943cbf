"""Ask Supabase Auth, each time that what it granted runs out, whether the person may still be signed in."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func, or_, select, update

from core.auth.people import Grant
from core.errors import AuthRefusedError, AuthUnavailableError, AuthUntrustedError, SignInError
from core.log import get_logger
from core.models import AuthSession, BrowserSession, Profile, SecurityEventKind
from core.sealing import unseal
from services.accounts.at_auth.grants import auth_of, end_of, is_of, sealed
from services.accounts.sessions.end_session import end_open
from services.context import Context
from services.security_events import record_event

#: How long sessions go on while Auth gives no answer.
PATIENCE = timedelta(minutes=15)
#: Least time between two questions about one session; requests meanwhile do not wait for the answer.
_PAUSE = timedelta(seconds=30)
_log = get_logger(__name__)


@dataclass(frozen=True)
class _Kept:
    id: uuid.UUID
    profile_id: uuid.UUID
    sealed_refresh_token: str


def is_still_granted(context: Context, session_id: uuid.UUID) -> bool:
    """Return whether Auth lets a session go on; it is ended if not. False for one that Auth never granted."""
    with context.database.session() as session:
        row = session.execute(
            select(
                AuthSession.id,
                (AuthSession.expires_at > func.now()).label("holds"),
                or_(AuthSession.away_since.is_(None), AuthSession.away_since > func.now() - PATIENCE).label(
                    "borne"
                ),
            ).where(AuthSession.session_id == session_id)
        ).one_or_none()
    if row is None:
        return False
    if row.holds:
        return True
    kept = _take_turn(context, row.id)
    # Another request asks just now, or has asked in vain a moment ago.
    return bool(row.borne) if kept is None else _ask(context, kept, session_id)


def _take_turn(context: Context, auth_session_id: uuid.UUID) -> _Kept | None:
    """Return what to ask with; None if it was tried a moment ago. A refresh token is good once."""
    with context.database.session() as session:
        row = session.execute(
            update(AuthSession)
            .where(
                AuthSession.id == auth_session_id,
                AuthSession.expires_at <= func.now(),
                or_(AuthSession.tried_at.is_(None), AuthSession.tried_at < func.now() - _PAUSE),
            )
            .values(tried_at=func.now())
            .returning(AuthSession.id, AuthSession.profile_id, AuthSession.sealed_refresh_token)
        ).one_or_none()
    return None if row is None else _Kept(row.id, row.profile_id, row.sealed_refresh_token)


def _ask(context: Context, kept: _Kept, session_id: uuid.UUID) -> bool:
    token = unseal(context.settings, "session at Supabase Auth", kept.sealed_refresh_token)
    try:
        grant = auth_of(context).people.again(token) if token else None
    except SignInError:
        grant = None
    except (AuthUnavailableError, AuthUntrustedError, AuthRefusedError) as error:
        _log.warning("auth_gave_no_answer", code=error.code, detail=error.detail)
        return _bear(context, kept.id)
    if grant is None or not is_of(grant, kept.profile_id):
        _end(context, kept, session_id)
        return False
    _keep(context, kept, grant)
    return True


def _bear(context: Context, auth_session_id: uuid.UUID) -> bool:
    """Note that Auth gave no answer; return whether the session may go on without."""
    with context.database.session() as session:
        borne = session.scalar(
            update(AuthSession)
            .where(AuthSession.id == auth_session_id)
            .values(away_since=func.coalesce(AuthSession.away_since, func.now()))
            .returning(AuthSession.away_since > func.now() - PATIENCE)
        )
    return bool(borne)


def _keep(context: Context, kept: _Kept, grant: Grant) -> None:
    with context.database.session() as session:
        session.execute(
            update(AuthSession)
            .where(AuthSession.id == kept.id)
            .values(
                sealed_refresh_token=sealed(context, grant),
                expires_at=end_of(grant),
                tried_at=None,
                away_since=None,
            )
        )
        # Somebody changed the role at Supabase: what holds is the role here.
        session.execute(
            update(Profile)
            .where(Profile.id == kept.profile_id, Profile.role.is_distinct_from(grant.identity.role))
            .values(auth_due=True)
        )


def _end(context: Context, kept: _Kept, session_id: uuid.UUID) -> None:
    with context.database.session() as session:
        end_open(session, BrowserSession.id == session_id)
        record_event(session, SecurityEventKind.SESSIONS_ENDED, subject_id=kept.profile_id, rows=1)
