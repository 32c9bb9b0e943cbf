"""The second factor at sign-in: set up, checked, recovered, switched off."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
import uuid
from dataclasses import dataclass

import pyotp
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.auth.keys import seal, unseal
from core.config import Settings
from core.errors import ConflictError, WrongCodeError, existing
from core.models import BrowserSession, Profile, RecoveryCode, SecondFactor, SecurityEventKind
from services.accounts.sessions import end_open
from services.audit import record_event
from services.context import Context

_ISSUER = "Second Reader"
_STEP_SECONDS = 30
#: Steps before and after the present one whose codes are good, for clocks that differ.
_DRIFT = 1


@dataclass(frozen=True)
class Enrolment:
    """What an authenticator takes in: by hand, or as a picture of the address."""

    secret: str
    #: `otpauth://totp/…`
    uri: str


def enrolment(context: Context, profile_id: uuid.UUID) -> Enrolment:
    """Return the secret to set up; the same until it is switched on.

    Raises ConflictError if the person has a second factor: its secret is never shown again.
    """
    with context.database.session() as session:
        profile = session.get_one(Profile, profile_id, with_for_update=True)
        factor = session.get(SecondFactor, profile_id)
        secret = _standing(context, factor)
        if secret is None:
            secret = pyotp.random_base32()
            sealed = seal(context.settings, "second factor", secret)
            if factor is None:
                session.add(SecondFactor(profile_id=profile_id, sealed_secret=sealed))
            else:
                factor.sealed_secret = sealed
    uri = pyotp.TOTP(secret).provisioning_uri(name=profile.email, issuer_name=_ISSUER)
    return Enrolment(secret, uri)


def switch_on(context: Context, profile_id: uuid.UUID, code: str, kept: uuid.UUID | None = None) -> list[str]:
    """Switch the second factor on and return the recovery codes, which cannot be read again.

    Every session of the person ends but `kept`: none of them has shown a code. Raises WrongCodeError if the code
    is not one of the secret, or nothing is being set up.
    """
    with context.database.session() as session:
        factor = session.get(SecondFactor, profile_id, with_for_update=True)
        if (
            factor is None
            or factor.confirmed_at is not None
            or not use_authenticator_code(context.settings, factor, code)
        ):
            raise WrongCodeError
        factor.confirmed_at = session.scalars(select(func.now())).one()
        others = BrowserSession.id.is_distinct_from(kept)
        ended = end_open(session, BrowserSession.profile_id == profile_id, others)
        record_event(session, SecurityEventKind.SECOND_FACTOR_ON, actor_id=profile_id, rows=ended)
        return new_codes(session, profile_id)


def has_second_factor(session: Session, profile_id: uuid.UUID) -> bool:
    """Return whether the person signs in with a code besides the password."""
    factor = session.get(SecondFactor, profile_id)
    return factor is not None and factor.confirmed_at is not None


def _standing(context: Context, factor: SecondFactor | None) -> str | None:
    if factor is None:
        return None
    if factor.confirmed_at is not None:
        raise ConflictError("the second factor is on")
    return unseal(context.settings, "second factor", factor.sealed_secret)


def switch_off(context: Context, profile_id: uuid.UUID, actor_id: uuid.UUID | None = None) -> None:
    """Remove the secret and the recovery codes. `actor_id` is None for the command line.

    Raises NotFoundError if the person has no second factor.
    """
    with context.database.session() as session:
        gone = delete(SecondFactor).where(SecondFactor.profile_id == profile_id).returning(SecondFactor.profile_id)
        existing(session.scalar(gone), "no second factor is set up")
        session.execute(delete(RecoveryCode).where(RecoveryCode.profile_id == profile_id))
        record_event(session, SecurityEventKind.SECOND_FACTOR_OFF, actor_id=actor_id, subject_id=profile_id)


def check_code(context: Context, profile_id: uuid.UUID, typed: str, network: str = "") -> None:
    """Use up a code of the person's authenticator, or a recovery code.

    Raises WrongCodeError for any other, and for one that was used before. Both are recorded.
    """
    with context.database.session() as session:
        factor = session.get(SecondFactor, profile_id, with_for_update=True)
        if factor is not None and factor.confirmed_at is not None:
            if use_authenticator_code(context.settings, factor, typed):
                return
            if use_code(session, profile_id, typed):
                record_event(session, SecurityEventKind.RECOVERY_CODE_USED, actor_id=profile_id, network=network)
                return
        record_event(session, SecurityEventKind.CODE_FAILED, subject_id=profile_id, network=network)
    raise WrongCodeError


def use_authenticator_code(settings: Settings, factor: SecondFactor, typed: str) -> bool:
    """Return whether this is a current code that was not used before, and mark it as used."""
    code, secret = "".join(typed.split()), unseal(settings, "second factor", factor.sealed_secret)
    if secret is None or not code.isascii():
        return False
    totp, now = pyotp.TOTP(secret), int(time.time()) // _STEP_SECONDS
    for step in range(max(now - _DRIFT, factor.last_step + 1), now + _DRIFT + 1):
        if hmac.compare_digest(totp.at(step * _STEP_SECONDS), code):
            factor.last_step = step
            return True
    return False


# Recovery codes: each signs in once in place of a code of the authenticator. Only hashes are stored.


COUNT = 10
#: Without letters and digits that are taken for each other.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_HALF = 5


def new_codes(session: Session, profile_id: uuid.UUID) -> list[str]:
    """Replace the person's codes by new ones and return these; 49 random bits each."""
    session.execute(delete(RecoveryCode).where(RecoveryCode.profile_id == profile_id))
    codes = [f"{_letters()}-{_letters()}" for _ in range(COUNT)]
    session.add_all(RecoveryCode(profile_id=profile_id, code_hash=_hash(code)) for code in codes)
    return codes


def use_code(session: Session, profile_id: uuid.UUID, typed: str) -> bool:
    """Use up a code; return whether it was one that is left."""
    used = session.execute(
        update(RecoveryCode)
        .where(
            RecoveryCode.profile_id == profile_id,
            RecoveryCode.code_hash == _hash(typed),
            RecoveryCode.used_at.is_(None),
        )
        .values(used_at=func.now())
        .returning(RecoveryCode.id)
    )
    return used.first() is not None


def _letters() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_HALF))


def _hash(code: str) -> str:
    plain = "".join(char for char in code.lower() if char.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()
