"""Check a code at sign-in."""

from __future__ import annotations

import hmac
import time
import uuid

import pyotp

from core.config import Settings
from core.errors import WrongCodeError
from core.models import SecondFactor, SecurityEventKind
from core.sealing import unseal
from services.accounts.second_factor.recovery import use_code
from services.context import Context
from services.security_events import record_event

_STEP_SECONDS = 30
#: Steps before and after the present one whose codes are good, for clocks that differ.
_DRIFT = 1


def check_code(context: Context, profile_id: uuid.UUID, typed: str, network: str = "") -> None:
    """Use up a code of the person's authenticator, or a recovery code.

    Raises WrongCodeError for any other, and for one that was used before. Both are recorded.
    """
    with context.database.session() as session:
        factor = session.get(SecondFactor, profile_id, with_for_update=True)
        if factor is not None and factor.confirmed_at is not None:
            if fits(context.settings, factor, typed):
                return
            if use_code(session, profile_id, typed):
                record_event(session, SecurityEventKind.RECOVERY_CODE_USED, actor_id=profile_id, network=network)
                return
        record_event(session, SecurityEventKind.CODE_FAILED, subject_id=profile_id, network=network)
    raise WrongCodeError


def fits(settings: Settings, factor: SecondFactor, typed: str) -> bool:
    """Return whether this is a code of now that was not used before, and note its use."""
    code, secret = "".join(typed.split()), unseal(settings, "second factor", factor.sealed_secret)
    if secret is None or not code.isascii():
        return False
    totp, now = pyotp.TOTP(secret), int(time.time()) // _STEP_SECONDS
    for step in range(max(now - _DRIFT, factor.last_step + 1), now + _DRIFT + 1):
        if hmac.compare_digest(totp.at(step * _STEP_SECONDS), code):
            factor.last_step = step
            return True
    return False
