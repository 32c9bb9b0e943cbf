"""Apply one decision to many proposals, and undo it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select

from core.errors import ConflictError, HeldError, InvalidInputError, NotFoundError
from core.models import ReviewDecision, SubmissionStatus
from services.context import Context
from services.messages.refused import Refused
from services.review.bulk_preview import MAX_BULK, BulkItem, bulk_items
from services.review.decide_suggestion import FieldAnswer, decide_suggestion
from services.review.undo_decision import undo_decision
from services.review.waiting import count_waiting


@dataclass(frozen=True)
class BulkChoice:
    """One chosen proposal, at the version that was previewed."""

    suggestion_id: uuid.UUID
    version: int
    #: Names of fields whose place on the page was shown beside the values.
    shown: frozenset[str] = frozenset()


@dataclass(frozen=True)
class BulkResult:
    """Result of a bulk decision: how many proposals were decided, and why others were not."""

    bulk_id: uuid.UUID
    decided: int
    #: Of the decided ones: those that wait for a person again, because something is still open.
    came_back: int
    #: Not decided: decided by another person or changed in the meantime, or the value is invalid.
    lost: int
    #: Not decided: another person holds them.
    held: int
    #: Not approved: a value read by OCR would be changed or confirmed, and its place on the page was not shown.
    unshown: int
    #: Not approved: no scorer prefers one of the values, so that the item must be reviewed individually.
    unclear: int
    #: Entries of the season that wait in the queue after it; `waiting.MOST_COUNTED` stands for that many or more.
    waiting: int


@dataclass(frozen=True)
class BulkUndone:
    """Result of undoing a bulk decision."""

    undone: int
    #: Decisions not undone, because the entry has changed since or they were undone already.
    kept: int


def bulk_decide(
    context: Context,
    actor_id: uuid.UUID,
    choices: Sequence[BulkChoice],
    action: Literal["approve", "reject"],
    reason: str | None = None,
) -> BulkResult:
    """Approve each item with its preselected answers (see `preselected`), or reject it, at the version previewed.

    Fields without a proposed value are not changed. Each item is decided in a separate transaction. An item that
    another person has decided, changed or holds, or that must not be approved unseen, is skipped and counted.
    Raises InvalidInputError for too many items or an unknown action.
    """
    if len(choices) > MAX_BULK:
        raise InvalidInputError(Refused.TOO_MANY_AT_ONCE, limit=MAX_BULK)
    if action not in ("approve", "reject"):
        raise InvalidInputError(Refused.ACTION_UNKNOWN, choices=("approve", "reject"))
    bulk_id = uuid.uuid4()
    became = [_decided(context, actor_id, choice, action, reason, bulk_id) for choice in choices]
    return BulkResult(
        bulk_id,
        decided=became.count("decided") + became.count("came_back"),
        came_back=became.count("came_back"),
        lost=became.count("lost"),
        held=became.count("held"),
        unshown=became.count("unshown"),
        unclear=became.count("unclear"),
        waiting=count_waiting(context).waiting,
    )


def _decided(
    context: Context,
    actor_id: uuid.UUID,
    choice: BulkChoice,
    action: str,
    reason: str | None,
    bulk_id: uuid.UUID,
) -> str:
    """Decide one item; return what became of it: "decided", or the name of another count in `BulkResult`."""
    answers: dict[str, FieldAnswer] = {}
    if action == "approve":
        item = _item(context, choice.suggestion_id)
        if item is None or item.version != choice.version:
            return "lost"
        if item.unclear:
            return "unclear"
        if any(field.must_be_shown and field.name not in choice.shown for field in item.fields):
            return "unshown"
        answers = {
            field.name: FieldAnswer(field.answer) for field in item.fields if field.answer in ("approve", "keep")
        }
    try:
        done = decide_suggestion(
            context, actor_id, choice.suggestion_id, choice.version, answers, reason, bulk_id=bulk_id
        )
    except HeldError:
        return "held"
    except (ConflictError, NotFoundError, InvalidInputError):
        return "lost"
    return "came_back" if done.status is SubmissionStatus.ESCALATED else "decided"


def _item(context: Context, suggestion_id: uuid.UUID) -> BulkItem | None:
    with context.database.session() as session:
        return next(iter(bulk_items(session, [suggestion_id])), None)


def undo_bulk(context: Context, actor_id: uuid.UUID, bulk_id: uuid.UUID) -> BulkUndone:
    """Undo each of the bulk's decisions whose entry has not changed since. Raises NotFoundError."""
    with context.database.session() as session:
        decisions = session.scalars(
            select(ReviewDecision.id)
            .where(ReviewDecision.bulk_id == bulk_id)
            .order_by(ReviewDecision.created_at, ReviewDecision.id)
        ).all()
    if not decisions:
        raise NotFoundError("no such bulk decision")
    undone = 0
    for decision_id in decisions:
        try:
            undo_decision(context, actor_id, decision_id)
            undone += 1
        except ConflictError:
            continue
    return BulkUndone(undone, len(decisions) - undone)
