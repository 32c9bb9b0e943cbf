"""End the set-up, finished or not, or take it up again."""

from __future__ import annotations

import uuid

from sqlalchemy import delete

from core.models import SecurityEventKind, SetUpKey, SetUpState, SetUpStep
from services.context import Context
from services.security_events import record_event
from services.set_up.note_step import note_step
from services.set_up.steps import set_up_view


def finish_set_up(context: Context, actor_id: uuid.UUID) -> SetUpState:
    """Lead nobody through the steps any more; return whether all were settled or some were left out."""
    view = set_up_view(context)
    state = SetUpState.DONE if view.settled == len(view.steps) else SetUpState.PASSED
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.WHOLE, state)
    return state


def take_up_set_up(context: Context, actor_id: uuid.UUID) -> None:
    """Lead admins to the steps again that are left."""
    with context.database.session() as session:
        session.execute(delete(SetUpStep).where(SetUpStep.step == SetUpKey.WHOLE.value))
        record_event(
            session,
            SecurityEventKind.SET_UP,
            actor_id=actor_id,
            step=SetUpKey.WHOLE.value,
            state=SetUpState.OPEN.value,
        )
