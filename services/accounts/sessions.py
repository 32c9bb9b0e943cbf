"""Signed-in sessions: begun, found, confirmed, ended."""

from __future__ import annotations

import ipaddress
import secrets
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, delete, func, insert, literal, or_, select, update
from sqlalchemy.orm import Session

from core.auth.keys import unseal
from core.auth.provider import Grant
from core.config import Settings
from core.errors import (
    AuthRefusedError,
    AuthUnavailableError,
    AuthUntrustedError,
    NotFoundError,
    SignInError,
    WrongPasswordError,
)
from core.messages import LabelledEnum
from core.models import AuthSession, BrowserSession, FormGeneration, Profile, SecondFactor, SecurityEventKind
from core.tracing.log import get_logger
from services.accounts.at_auth import auth_of, grant_end, is_of, require_password, sealed
from services.accounts.passwords import password_fits, secret_hash
from services.accounts.person import Person, may_sign_in, note_use, person_of
from services.audit import record_event
from services.context import Context

#: Resolution of `last_seen_at`: most requests then write nothing.
_SEEN_STEP = timedelta(minutes=1)


def create_session(context: Context, person: Person, client: Client) -> str:
    """Make the session and return its secret.

    Raises SignInError if the account's sessions were ended since `person` was read, as when the password was
    replaced meanwhile. Where Supabase Auth keeps the passwords, also if its grant for this sign-in is missing.
    """
    secret = secrets.token_urlsafe(32)
    values = select(
        Profile.id,
        Profile.session_version,
        literal(secret_hash(secret)),
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
    """Use up Auth's grant for this session; a grant is good for one."""
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


@dataclass(frozen=True)
class LiveSession:
    """A valid session and its owner."""

    id: uuid.UUID
    person: Person
    #: Whether the password was given within CONFIRM_MINUTES.
    is_confirmed: bool
    #: Whether the person has to set up a second factor before anything else.
    wants_second_factor: bool
    #: Name of the generation of forms in use, read with the session: every request needs both.
    forms: str | None = None


def find_session(context: Context, secret: str) -> LiveSession | None:
    """Return the session of a cookie's secret; None if it has ended or the account may not sign in.

    Where Supabase Auth keeps the passwords it is asked, now and then, whether the person may still be signed in.
    """
    live = _find(context, secret)
    is_over = live is not None and context.auth is not None and not is_still_granted(context, live.id)
    return None if is_over else live


def _find(context: Context, secret: str) -> LiveSession | None:
    settings = context.settings
    with context.database.reading() as session:
        row = session.execute(
            select(
                Profile,
                BrowserSession.id,
                SecondFactor.confirmed_at.label("factor_since"),
                # Where nothing can be written, people may still look.
                and_(
                    BrowserSession.last_seen_at < func.now() - _SEEN_STEP,
                    func.current_setting("transaction_read_only") == "off",
                ).label("stale"),
                (BrowserSession.confirmed_at > func.now() - timedelta(minutes=settings.confirm_minutes)).label(
                    "confirmed"
                ),
                select(FormGeneration.name).scalar_subquery().label("forms"),
            )
            .join(BrowserSession, BrowserSession.profile_id == Profile.id)
            .outerjoin(SecondFactor, SecondFactor.profile_id == Profile.id)
            .where(BrowserSession.secret_hash == secret_hash(secret), *is_live(settings))
        ).one_or_none()
    if row is None or not may_sign_in(row.Profile, settings.demo_accounts):
        return None
    if row.stale:
        note_use(context.database, BrowserSession, row.id, last_seen_at=func.now())
    person = person_of(row.Profile)
    required = settings.require_second_factor and not settings.demo_accounts and person.role.may_administer
    return LiveSession(row.id, person, row.confirmed, required and row.factor_since is None, row.forms)


def confirm_session(context: Context, session_id: uuid.UUID, password: str) -> None:
    """Note that the owner of the session has just given the password. Raises WrongPasswordError."""
    owner = (
        select(Profile)
        .join(BrowserSession, BrowserSession.profile_id == Profile.id)
        .where(BrowserSession.id == session_id)
    )
    profile = context.database.scalar(owner)
    if profile is None:
        raise WrongPasswordError
    if context.auth is not None:
        require_password(context, profile.id, profile.email, password)
    elif not password_fits(profile.password_hash, password):
        raise WrongPasswordError
    context.database.execute(
        update(BrowserSession).where(BrowserSession.id == session_id).values(confirmed_at=func.now())
    )


# Ask Supabase Auth, each time that its grant expires, whether the person may still be signed in.


#: How long sessions go on while Auth gives no answer.
PATIENCE = timedelta(minutes=15)
#: Least time between two questions about one session; requests meanwhile do not wait for the answer.
_PAUSE = timedelta(seconds=30)
_log = get_logger(__name__)


def is_still_granted(context: Context, session_id: uuid.UUID) -> bool:
    """Return whether Auth lets a session go on; it is ended if not. False for one that Auth never granted."""
    with context.database.reading() as session:
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
    # Another request is asking now, or got no answer a moment ago.
    return bool(row.borne) if kept is None else _ask(context, kept, session_id)


def _take_turn(context: Context, auth_session_id: uuid.UUID) -> AuthSession | None:
    """Return what to ask Auth with; None if somebody just tried. A refresh token is good once."""
    return context.database.scalar(
        update(AuthSession)
        .where(
            AuthSession.id == auth_session_id,
            AuthSession.expires_at <= func.now(),
            or_(AuthSession.tried_at.is_(None), AuthSession.tried_at < func.now() - _PAUSE),
        )
        .values(tried_at=func.now())
        .returning(AuthSession)
    )


def _ask(context: Context, kept: AuthSession, session_id: uuid.UUID) -> bool:
    token = unseal(context.settings, "session at Supabase Auth", kept.sealed_refresh_token)
    try:
        grant = auth_of(context).people.again(token) if token else None
    except SignInError:
        grant = None
    except (AuthUnavailableError, AuthUntrustedError, AuthRefusedError) as error:
        _log.warning("auth_gave_no_answer", code=error.code, detail=error.detail)
        return _bear(context, kept.id)
    if grant is None or not is_of(grant, kept.profile_id):
        with context.database.session() as session:
            end_open(session, BrowserSession.id == session_id)
            record_event(session, SecurityEventKind.SESSIONS_ENDED, subject_id=kept.profile_id, rows=1)
        return False
    _keep(context, kept, grant)
    return True


def _bear(context: Context, auth_session_id: uuid.UUID) -> bool:
    """Note that Auth gave no answer; return whether the session may go on without."""
    borne = context.database.scalar(
        update(AuthSession)
        .where(AuthSession.id == auth_session_id)
        .values(away_since=func.coalesce(AuthSession.away_since, func.now()))
        .returning(AuthSession.away_since > func.now() - PATIENCE)
    )
    return bool(borne)


def _keep(context: Context, kept: AuthSession, grant: Grant) -> None:
    with context.database.session() as session:
        session.execute(
            update(AuthSession)
            .where(AuthSession.id == kept.id)
            .values(
                sealed_refresh_token=sealed(context, grant),
                expires_at=grant_end(grant),
                tried_at=None,
                away_since=None,
            )
        )
        # Somebody changed the role at Supabase: the one here decides.
        session.execute(
            update(Profile)
            .where(Profile.id == kept.profile_id, Profile.role.is_distinct_from(grant.identity.role))
            .values(auth_due=True)
        )


# What is kept of a browser, so that its owner recognises a session: a few words and the kind of address.


#: Names of browsers and systems with their marks in `User-Agent`, the specific before the general: each browser
#: also names those that it is compatible with.
_BROWSERS = (
    ("Edge", "Edg"),
    ("Opera", "OPR/"),
    ("Firefox", "Firefox/"),
    ("Firefox", "FxiOS/"),
    ("Chrome", "Chrome/"),
    ("Chrome", "CriOS/"),
    ("Safari", "Safari/"),
    ("curl", "curl/"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("ChromeOS", "CrOS"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X"),
    ("Linux", "Linux"),
)


#: Bits of a network by version of the protocol.
_BITS = {4: 24, 6: 48}


class AddressFamily(LabelledEnum):
    """Kind of the address that a session was begun from; the address itself is not kept."""

    UNKNOWN = "", "Unknown"
    HERE = "here", "This computer"
    IPV4 = "ipv4", "IPv4"
    IPV6 = "ipv6", "IPv6"


@dataclass(frozen=True)
class Client:
    """A browser, in short."""

    family: AddressFamily
    #: Such as "Firefox, Linux"; empty if it announces nothing that is known.
    user_agent: str
    #: The network of its address, such as "192.0.2.0/24", for the record of events; "" if it is not known.
    network: str = ""


def client_of(address: str | None, user_agent: str) -> Client:
    """Return the short description of a browser by its address and its `User-Agent`."""
    browser = next((name for name, mark in _BROWSERS if mark in user_agent), None)
    system = next((name for name, mark in _SYSTEMS if mark in user_agent), None)
    found = _parsed(address)
    if found is None:
        family = AddressFamily.UNKNOWN
    elif found.is_loopback:
        family = AddressFamily.HERE
    else:
        family = AddressFamily.IPV4 if found.version == 4 else AddressFamily.IPV6
    return Client(family, ", ".join(name for name in (browser, system) if name), network_of(address))


def network_of(address: str | None) -> str:
    """Return the network of an address: 24 bits of IPv4, 48 of IPv6; "" for an invalid address."""
    found = _parsed(address)
    return str(ipaddress.ip_network((found, _BITS[found.version]), strict=False)) if found else ""


def _parsed(address: str | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    with suppress(ValueError):
        return ipaddress.ip_address(address or "")
    return None


def is_live(settings: Settings) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions on a session joined with its account."""
    idle = timedelta(minutes=settings.session_idle_minutes)
    longest = timedelta(hours=settings.session_hours)
    return (
        BrowserSession.ended_at.is_(None),
        BrowserSession.session_version == Profile.session_version,
        BrowserSession.last_seen_at > func.now() - idle,
        BrowserSession.created_at > func.now() - longest,
    )


def end_session(
    context: Context,
    profile_id: uuid.UUID,
    session_id: uuid.UUID,
    kind: SecurityEventKind = SecurityEventKind.SESSIONS_ENDED,
) -> None:
    """End one of the person's own sessions; repeating it is no error. Raises NotFoundError for any other.

    `kind` is how it is recorded.
    """
    own = (BrowserSession.id == session_id, BrowserSession.profile_id == profile_id)
    with context.database.session() as session:
        ended = end_open(session, *own)
        if session.scalar(select(BrowserSession.id).where(*own)) is None:
            raise NotFoundError("no such session of this person")
        if ended:
            record_event(session, kind, actor_id=profile_id, rows=1)


def end_other_sessions(context: Context, profile_id: uuid.UUID, kept: uuid.UUID) -> None:
    """End all sessions of the person but the one that is kept."""
    with context.database.session() as session:
        ended = end_open(session, BrowserSession.profile_id == profile_id, BrowserSession.id != kept)
        record_event(session, SecurityEventKind.SESSIONS_ENDED, actor_id=profile_id, rows=ended)


def end_open(session: Session, *which: ColumnElement[bool]) -> int:
    """End the open ones of these sessions, forget what Supabase Auth granted for them, and return their number."""
    ended = session.scalars(
        update(BrowserSession)
        .where(*which, BrowserSession.ended_at.is_(None))
        .values(ended_at=func.now())
        .returning(BrowserSession.id)
    ).all()
    if ended:
        session.execute(delete(AuthSession).where(AuthSession.session_id.in_(ended)))
    return len(ended)
