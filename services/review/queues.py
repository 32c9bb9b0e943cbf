"""The conditions of the review queue: its filters, and the fields of the proposals in it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, any_, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.models import Escalation, ReviewSuggestion, ReviewSuggestionField, Submission, SuggestionStatus
from services.entries.detail import form_order
from services.school_names import is_school


@dataclass(frozen=True)
class SuggestedValue:
    name: str
    current: str | None
    proposed: str | None


def proposed_values(
    session: Session, suggestion_ids: Iterable[uuid.UUID]
) -> dict[uuid.UUID, list[SuggestedValue]]:
    """Return {proposal: its fields, in the order of the form}."""
    rows = session.execute(
        select(
            ReviewSuggestionField.suggestion_id,
            ReviewSuggestionField.name,
            ReviewSuggestionField.current_value,
            ReviewSuggestionField.proposed_value,
        ).where(ReviewSuggestionField.suggestion_id.in_(suggestion_ids))
    )
    found: dict[uuid.UUID, list[SuggestedValue]] = {}
    for row in rows:
        value = SuggestedValue(row.name, row.current_value, row.proposed_value)
        found.setdefault(row.suggestion_id, []).append(value)
    return {key: sorted(values, key=lambda value: form_order(value.name)) for key, values in found.items()}


@dataclass(frozen=True)
class QueueFilter:
    """Filters of both kinds. None does not filter, except for the status, where it means "pending"."""

    reason: str | None = None
    grade: str | None = None
    school: str | None = None
    status: str | None = None
    #: Name of a proposed field; of an escalation, of a missing one.
    field: str | None = None
    batch: uuid.UUID | None = None
    #: Bounds of the confidence of the proposed field if `field` is given, else of the entry.
    min_confidence: float | None = None
    max_confidence: float | None = None
    #: Whether a required field is empty and has no proposed value.
    is_empty: bool | None = None

    def stands(self, column: InstrumentedAttribute[str]) -> ColumnElement[bool]:
        """Return the condition on the status. "pending" is a literal, so that the partial indexes are used."""
        pending = SuggestionStatus.PENDING.value
        if self.status in (None, pending):
            return column == literal(pending, literal_execute=True)
        return column == self.status


Query = Select[*tuple[Any, ...]]


def of_suggestions(query: Query, wanted: QueueFilter, season_id: uuid.UUID, joined: bool) -> Query:
    """Add the filters to a query of proposals. The entry is joined if `joined`, or if a filter needs it."""
    entry = _of_entry(wanted)
    query = query.where(ReviewSuggestion.season_id == season_id, wanted.stands(ReviewSuggestion.status))
    if wanted.field is None:
        entry += _between(Submission.confidence, wanted)
    else:
        query = query.where(_field(wanted.field, wanted).exists())
    if wanted.is_empty is not None:
        vacant = _vacant(wanted.field).exists()
        entry.append(vacant if wanted.is_empty else ~vacant)
    return _with_entry(query, ReviewSuggestion.submission_id, entry, joined)


def of_escalations(query: Query, wanted: QueueFilter, season_id: uuid.UUID, joined: bool) -> Query:
    """Add the filters to a query of escalations, in the same way."""
    entry = _of_entry(wanted) + _between(Submission.confidence, wanted)
    if wanted.field is not None:
        entry.append(Submission.missing_fields.contains([wanted.field]))
    if wanted.is_empty is not None:
        missing = func.cardinality(Submission.missing_fields)
        entry.append(missing > 0 if wanted.is_empty else missing == 0)
    query = query.where(Escalation.season_id == season_id, wanted.stands(Escalation.status))
    return _with_entry(query, Escalation.submission_id, entry, joined)


def _with_entry(
    query: Query, key: InstrumentedAttribute[uuid.UUID], conditions: list[ColumnElement[bool]], joined: bool
) -> Query:
    if joined or conditions:
        query = query.join(Submission, Submission.id == key)
    return query.where(*conditions)


def _of_entry(wanted: QueueFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.reason:
        found.append(Submission.review_reason_codes.contains([wanted.reason]))
    if wanted.grade:
        found.append(Submission.grade == wanted.grade)
    if wanted.school:
        # These entries are found first. Otherwise the planner may read the whole queue in its order and look up
        # the entry of each item, which is slow where the school has few items or late ones.
        of_school = select(Submission.id).where(is_school(wanted.school)).cte().prefix_with("MATERIALIZED")
        found.append(Submission.id.in_(select(of_school.c.id)))
    if wanted.batch:
        found.append(Submission.batch_id == wanted.batch)
    return found


def _between(column: Any, wanted: QueueFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.min_confidence is not None:
        found.append(column >= wanted.min_confidence)
    if wanted.max_confidence is not None:
        found.append(column <= wanted.max_confidence)
    return found


def _field(name: str, wanted: QueueFilter) -> Select[int]:
    return select(1).where(
        ReviewSuggestionField.suggestion_id == ReviewSuggestion.id,
        ReviewSuggestionField.name == name,
        *_between(ReviewSuggestionField.confidence, wanted),
    )


def _vacant(name: str | None) -> Select[int]:
    """Return a query for required fields without current and proposed value: `name`, or any."""
    found = select(1).where(
        ReviewSuggestionField.suggestion_id == ReviewSuggestion.id,
        ReviewSuggestionField.proposed_value.is_(None),
        ReviewSuggestionField.name == any_(Submission.missing_fields),
    )
    return found.where(ReviewSuggestionField.name == name) if name else found
