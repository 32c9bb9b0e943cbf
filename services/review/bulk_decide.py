"""One answer to many proposals: what it would change, the decisions one by one, and taking them back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import ConflictError, HeldError, InvalidInputError, NotFoundError
from core.models import ReviewDecision, ReviewSuggestion, ReviewSuggestionField, Submission
from core.models.leases import SUGGESTION_HOLDS
from services.context import Context
from services.entries.submission_detail import form_order
from services.review.decide_suggestion import FieldAnswer, decide_suggestion
from services.review.list_suggestions import ProposedValue
from services.review.queue_filter import SuggestionFilter, of_suggestions
from services.review.undo_decision import undo_decision
from services.seasons import current_season

#: Items of one bulk decision: more than a person looks through at once.
MAX_BULK = 500


@dataclass(frozen=True)
class BulkItem:
    """One proposal of a bulk decision, with the values that approving it would change."""

    suggestion_id: uuid.UUID
    version: int
    student_name: str | None
    changes: tuple[ProposedValue, ...]


@dataclass(frozen=True)
class BulkPreview:
    """What a bulk decision over a filter would be about."""

    #: The oldest MAX_BULK that nobody else holds.
    items: tuple[BulkItem, ...]
    #: Others of the filter that somebody else has open; they are left alone.
    held: int
    #: All that the filter matches.
    total: int


@dataclass(frozen=True)
class BulkResult:
    """What became of a bulk decision."""

    bulk_id: uuid.UUID
    decided: int
    #: Decided by somebody else or changed in the meantime, or with a value that does not fit.
    lost: int
    #: Somebody else has them open.
    held: int


@dataclass(frozen=True)
class BulkUndone:
    """What became of taking a bulk decision back."""

    undone: int
    #: Entries that have changed since, or whose decision was undone already.
    kept: int


def preview_bulk(context: Context, actor_id: uuid.UUID, wanted: SuggestionFilter) -> BulkPreview:
    """What this filter matches at present, and what approving it would change."""
    free = SUGGESTION_HOLDS.free_for(actor_id)
    with context.database.session() as session:
        season_id = current_season(session).id
        counts = session.execute(
            of_suggestions(
                select(func.count().label("total"), func.count().filter(~free).label("held")).select_from(
                    ReviewSuggestion
                ),
                wanted,
                season_id,
                joined=False,
            )
        ).one()
        rows = session.execute(
            of_suggestions(
                select(ReviewSuggestion.id, ReviewSuggestion.version, Submission.student_name),
                wanted,
                season_id,
                joined=True,
            )
            .where(free)
            .order_by(ReviewSuggestion.created_at, ReviewSuggestion.id)
            .limit(MAX_BULK)
        ).all()
        changes = _changes(session, [row.id for row in rows])
    items = tuple(BulkItem(row.id, row.version, row.student_name, tuple(changes.get(row.id, ()))) for row in rows)
    return BulkPreview(items, counts.held, counts.total)


def bulk_decide(
    context: Context,
    actor_id: uuid.UUID,
    items: Sequence[tuple[uuid.UUID, int]],
    action: Literal["approve", "reject"],
    reason: str | None = None,
) -> BulkResult:
    """Approve all that is proposed, or reject it, for each item at the version that was previewed.

    A field that nothing is proposed for stays as it is. Each item is a transaction of its own: one that somebody
    decided, changed or has open is passed over and counted. Raises InvalidInputError for too many items.
    """
    if len(items) > MAX_BULK:
        raise InvalidInputError(f"at most {MAX_BULK} proposals at once")
    if action not in ("approve", "reject"):
        raise InvalidInputError("action must be one of approve, reject")
    bulk_id = uuid.uuid4()
    decided = lost = held = 0
    for suggestion_id, version in items:
        answers = _approvals(context, suggestion_id) if action == "approve" else {}
        try:
            decide_suggestion(context, actor_id, suggestion_id, version, answers, reason, bulk_id=bulk_id)
            decided += 1
        except HeldError:
            held += 1
        except (ConflictError, NotFoundError, InvalidInputError):
            lost += 1
    return BulkResult(bulk_id, decided, lost, held)


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


def _approvals(context: Context, suggestion_id: uuid.UUID) -> dict[str, FieldAnswer]:
    with context.database.session() as session:
        names = session.scalars(
            select(ReviewSuggestionField.name).where(
                ReviewSuggestionField.suggestion_id == suggestion_id,
                ReviewSuggestionField.proposed_value.is_not(None),
            )
        ).all()
    return {name: FieldAnswer("approve") for name in names}


def _changes(session: Session, suggestion_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[ProposedValue]]:
    rows = session.execute(
        select(
            ReviewSuggestionField.suggestion_id,
            ReviewSuggestionField.name,
            ReviewSuggestionField.current_value,
            ReviewSuggestionField.proposed_value,
        ).where(
            ReviewSuggestionField.suggestion_id.in_(suggestion_ids),
            ReviewSuggestionField.proposed_value.is_not(None),
            ReviewSuggestionField.proposed_value.is_distinct_from(ReviewSuggestionField.current_value),
        )
    )
    found: dict[uuid.UUID, list[ProposedValue]] = {}
    for row in sorted(rows, key=lambda row: form_order(row.name)):
        value = ProposedValue(row.name, row.current_value, row.proposed_value)
        found.setdefault(row.suggestion_id, []).append(value)
    return found
