"""Set up an authenticator: make its secret, and switch it on once a code shows that it works."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import pyotp
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import ConflictError, WrongCodeError
from core.models import Profile, SecondFactor, SecurityEventKind
from core.sealing import seal, unseal
from services.accounts.second_factor.check_code import fits
from services.accounts.second_factor.recovery import new_codes
from services.context import Context
from services.security_events import record_event

_ISSUER = "Second Reader"


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


def switch_on(context: Context, profile_id: uuid.UUID, code: str) -> list[str]:
    """Switch the second factor on and return the recovery codes, which cannot be read again.

    Raises WrongCodeError if the code is not one of the secret, or nothing is being set up.
    """
    with context.database.session() as session:
        factor = session.get(SecondFactor, profile_id, with_for_update=True)
        if factor is None or factor.confirmed_at is not None or not fits(context.settings, factor, code):
            raise WrongCodeError
        factor.confirmed_at = session.scalars(select(func.now())).one()
        record_event(session, SecurityEventKind.SECOND_FACTOR_ON, actor_id=profile_id)
        return new_codes(session, profile_id)


def has_second_factor(session: Session, profile_id: uuid.UUID) -> bool:
    """Return whether the person signs in with a code beside the password."""
    factor = session.get(SecondFactor, profile_id)
    return factor is not None and factor.confirmed_at is not None


def _standing(context: Context, factor: SecondFactor | None) -> str | None:
    if factor is None:
        return None
    if factor.confirmed_at is not None:
        raise ConflictError("the second factor is on")
    return unseal(context.settings, "second factor", factor.sealed_secret)
