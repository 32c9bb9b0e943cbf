"""One answer to many proposals: the decisions one by one, and taking them back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select

from core.errors import ConflictError, HeldError, InvalidInputError, NotFoundError
from core.models import ReviewDecision
from services.context import Context
from services.review.bulk_preview import MAX_BULK, BulkItem, bulk_items
from services.review.decide_suggestion import FieldAnswer, decide_suggestion
from services.review.undo_decision import undo_decision


@dataclass(frozen=True)
class BulkChoice:
    """One proposal that a person chose, as it was previewed."""

    suggestion_id: uuid.UUID
    version: int
    #: Fields whose spot on the page was shown beside the values.
    shown: frozenset[str] = frozenset()


@dataclass(frozen=True)
class BulkResult:
    """What became of a bulk decision."""

    bulk_id: uuid.UUID
    decided: int
    #: Decided by somebody else or changed in the meantime, or with a value that does not fit.
    lost: int
    #: Somebody else has them open.
    held: int
    #: Not approved: a recognised value would have been changed whose picture was not shown.
    unshown: int
    #: Not approved: no scorer prefers one of the values, so the item has to be looked at by itself.
    unclear: int


@dataclass(frozen=True)
class BulkUndone:
    """What became of taking a bulk decision back."""

    undone: int
    #: Entries that have changed since, or whose decision was undone already.
    kept: int


def bulk_decide(
    context: Context,
    actor_id: uuid.UUID,
    choices: Sequence[BulkChoice],
    action: Literal["approve", "reject"],
    reason: str | None = None,
) -> BulkResult:
    """Approve each item as it is marked at first (see `preselected`), or reject it, at the version previewed.

    A field that nothing is proposed for stays as it is. Each item is a transaction of its own: one that somebody
    decided, changed or has open is passed over and counted, and so is one that cannot be approved unseen. Raises
    InvalidInputError for too many items.
    """
    if len(choices) > MAX_BULK:
        raise InvalidInputError(f"at most {MAX_BULK} proposals at once")
    if action not in ("approve", "reject"):
        raise InvalidInputError("action must be one of approve, reject")
    bulk_id = uuid.uuid4()
    became = [_decided(context, actor_id, choice, action, reason, bulk_id) for choice in choices]
    return BulkResult(
        bulk_id,
        decided=became.count("decided"),
        lost=became.count("lost"),
        held=became.count("held"),
        unshown=became.count("unshown"),
        unclear=became.count("unclear"),
    )


def _decided(
    context: Context,
    actor_id: uuid.UUID,
    choice: BulkChoice,
    action: str,
    reason: str | None,
    bulk_id: uuid.UUID,
) -> str:
    """The name of the count in `BulkResult` that this item belongs to."""
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
        decide_suggestion(
            context, actor_id, choice.suggestion_id, choice.version, answers, reason, bulk_id=bulk_id
        )
    except HeldError:
        return "held"
    except (ConflictError, NotFoundError, InvalidInputError):
        return "lost"
    return "decided"


def _item(context: Context, suggestion_id: uuid.UUID) -> BulkItem | None:
    with context.database.session() as session:
        return next(iter(bulk_items(session, [suggestion_id])), None)


def undo_bulk(context: Context, actor_id: uuid.UUID, bulk_id: uuid.UUID) -> BulkUndone:
    """Take back every decision of the bulk whose entry has not changed since. Raises NotFoundError."""
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
