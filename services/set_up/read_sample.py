"""Have a worker read the sample, which tries the queue, the workers and the provider at once."""

from __future__ import annotations

import uuid

from sqlalchemy import func, update

from core.errors import AppError
from core.models import SetUpKey, SetUpState, SetUpStep
from core.models.leases import SET_UP_LEASES
from services.context import Context
from services.doctor.findings import DoctorCode, wrong
from services.doctor.try_reading import try_reading
from services.recovery.kinds import PROBES
from services.recovery.work import enqueue, keeping, take
from services.set_up.note_step import note_step, state_after


def ask_for_reading(context: Context, actor_id: uuid.UUID) -> None:
    """Ask a worker to read the sample; the row says what came of it."""
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.READING, SetUpState.TRYING)
    enqueue(context, PROBES, SetUpKey.READING.value)


def stop_reading(context: Context, actor_id: uuid.UUID) -> None:
    """Wait for no worker any more."""
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.READING, SetUpState.OPEN)


def read_sample(context: Context, step: str = SetUpKey.READING.value) -> bool:
    """Read the sample for a step that waits for it; return False if nobody asks. Raises LeaseLostError."""
    lease = take(context, PROBES, step)
    if lease is None:
        return False
    with keeping(context, lease):
        found = try_reading(context.settings)
        with context.database.session() as session:
            row = lease.hold(session)
            if row.state != SetUpState.TRYING:
                return False
            row.state = state_after(found.finding).value
            row.result, row.seconds = found.finding.message, found.finding.seconds
            row.read_text, row.changed_at = found.text, session.scalar(func.now())
    return True


def fail_sample(context: Context, step: str, error: AppError) -> None:
    """Note that the sample could not be read."""
    finding = wrong(DoctorCode.READING_FAILS, provider=context.settings.ocr_provider, problem=error.told)
    with context.database.session() as session:
        session.execute(
            update(SetUpStep)
            .where(SetUpStep.step == step, PROBES.due, SET_UP_LEASES.expired())
            .values(state=SetUpState.OPEN.value, result=finding.message, changed_at=func.now())
        )
