"""Switch a second factor off, so that the password alone signs in, or another authenticator can be set up."""

from __future__ import annotations

import uuid

from sqlalchemy import delete

from core.errors import NotFoundError
from core.models import RecoveryCode, SecondFactor, SecurityEventKind
from services.context import Context
from services.security_events import record_event


def switch_off(context: Context, profile_id: uuid.UUID, actor_id: uuid.UUID | None = None) -> None:
    """Remove the secret and the recovery codes. `actor_id` is None for the command line.

    Raises NotFoundError if the person has no second factor.
    """
    with context.database.session() as session:
        gone = session.execute(
            delete(SecondFactor).where(SecondFactor.profile_id == profile_id).returning(SecondFactor.profile_id)
        ).first()
        if gone is None:
            raise NotFoundError("no second factor is set up")
        session.execute(delete(RecoveryCode).where(RecoveryCode.profile_id == profile_id))
        record_event(session, SecurityEventKind.SECOND_FACTOR_OFF, actor_id=actor_id, subject_id=profile_id)
