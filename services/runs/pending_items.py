"""Supersede what waits for a person of an entry, and restore it; what the entry was set aside for goes with it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import TypedDict

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.models import (
    AsideEnd,
    Escalation,
    EscalationStatus,
    ReviewSuggestion,
    SetAside,
    SuggestionStatus,
)
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS
from services.runs.aside_rows import end_aside


class SupersededItems(TypedDict):
    """Ids of what was superseded, in a form that JSON keeps."""

    suggestions: list[str]
    escalations: list[str]
    #: What the entry was set aside for.
    asides: list[str]


def supersede_items(session: Session, submission_id: uuid.UUID, actor_id: uuid.UUID | None) -> SupersededItems:
    """Supersede the entry's pending proposals and escalations, ending the holds on them; return their ids.

    No actor means the machine.
    """
    suggestions = session.scalars(
        update(ReviewSuggestion)
        .where(
            ReviewSuggestion.submission_id == submission_id,
            ReviewSuggestion.status == SuggestionStatus.PENDING.value,
        )
        .values(
            status=SuggestionStatus.SUPERSEDED.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=func.now(),
            resolved_by_user_id=actor_id,
            **SUGGESTION_HOLDS.ended,
        )
        .returning(ReviewSuggestion.id)
    )
    escalations = session.scalars(
        update(Escalation)
        .where(Escalation.submission_id == submission_id, Escalation.status == EscalationStatus.PENDING.value)
        .values(
            status=EscalationStatus.SUPERSEDED.value,
            version=Escalation.version + 1,
            decided_by=actor_id,
            **ESCALATION_HOLDS.ended,
        )
        .returning(Escalation.id)
    )
    aside = end_aside(session, submission_id, AsideEnd.SUPERSEDED)
    return {
        "asides": [] if aside is None else [str(aside)],
        "suggestions": [str(found) for found in suggestions],
        "escalations": [str(found) for found in escalations],
    }


def restore_items(session: Session, items: Mapping[str, Sequence[str]]) -> None:
    """Let superseded proposals and escalations wait for a person again, held by nobody, set aside as they were."""
    restore_suggestions(session, [uuid.UUID(found) for found in items["suggestions"]])
    session.execute(
        update(Escalation)
        .where(Escalation.id.in_([uuid.UUID(found) for found in items["escalations"]]))
        .values(status=EscalationStatus.PENDING.value, version=Escalation.version + 1, decided_by=None)
    )
    # What was kept by an earlier version does not say.
    ended = [uuid.UUID(found) for found in items.get("asides", ())]
    session.execute(update(SetAside).where(SetAside.id.in_(ended)).values(ended_at=None, ended_why=None))


def show_suggestion(session: Session, run_id: str) -> None:
    """Let the proposal of a run that is being settled wait for a person; `write_proposal` has written it."""
    written = session.scalars(
        select(ReviewSuggestion.id).where(
            ReviewSuggestion.run_id == run_id, ReviewSuggestion.status == SuggestionStatus.SUPERSEDED.value
        )
    )
    restore_suggestions(session, written.all())


def restore_suggestions(session: Session, ids: Sequence[uuid.UUID]) -> None:
    """Let proposals that were superseded or decided wait for a person again; their fields are left as they are."""
    session.execute(
        update(ReviewSuggestion)
        .where(ReviewSuggestion.id.in_(ids))
        .values(
            status=SuggestionStatus.PENDING.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=None,
            resolved_by_user_id=None,
        )
    )
