"""The lists of proposals and escalations."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, any_, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.messages import Message
from core.models import Escalation, Profile, ReviewSuggestion, ReviewSuggestionField, Submission, SuggestionStatus
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS
from core.plain_data import built
from services.accounts.person import name_of
from services.context import Context
from services.entries.detail import form_order
from services.keyset import RowPage, fetch_page
from services.school_names import is_school
from services.seasons import current_season

# The queue of proposals, oldest first, with current and proposed values.


SUGGESTIONS_A_PAGE = 25


@dataclass(frozen=True)
class SuggestedValue:
    """One field of a proposal, for the list."""

    name: str
    current: str | None
    proposed: str | None


@dataclass(frozen=True)
class SuggestionRow:
    """One line of the queue."""

    id: uuid.UUID
    created_at: datetime
    reason: Message | None
    reason_codes: list[str]
    student_name: str | None
    school_name: str | None
    grade: str | None
    confidence: float | None
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None
    fields: list[SuggestedValue]


def list_suggestions(
    context: Context, wanted: SuggestionFilter, cursor: str | None = None, limit: int = SUGGESTIONS_A_PAGE
) -> RowPage[SuggestionRow]:
    """Return one page of the current season's proposals, the pending ones unless `wanted` names a status.

    Raises InvalidInputError for an invalid cursor.
    """
    with context.database.session() as session:
        query = of_suggestions(_columns(), wanted, current_season(session).id, joined=True)
        rows, after, before = fetch_page(
            session, query, ReviewSuggestion.created_at, ReviewSuggestion.id, cursor, limit, newest_first=False
        )
        fields = proposed_values(session, [row.id for row in rows])
    return RowPage([_row(row, fields.get(row.id, [])) for row in rows], after, before)


def _columns() -> Query:
    held = and_(Profile.id == SUGGESTION_HOLDS.owner, SUGGESTION_HOLDS.unexpired())
    return select(
        ReviewSuggestion.id,
        ReviewSuggestion.created_at,
        ReviewSuggestion.reason,
        SUGGESTION_HOLDS.until.label("held_until"),
        Profile.id.label("held_by_id"),
        name_of(Profile).label("held_by"),
        Submission.review_reason_codes,
        Submission.student_name,
        Submission.school_name,
        Submission.grade,
        Submission.confidence,
    ).outerjoin_from(ReviewSuggestion, Profile, held)


def _row(row: Any, fields: list[SuggestedValue]) -> SuggestionRow:
    return built(
        SuggestionRow,
        row,
        reason_codes=list(row.review_reason_codes),
        held_until=row.held_until if row.held_by_id else None,
        fields=fields,
    )


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


# Filters of the two review queues, and their SQL conditions.


@dataclass(frozen=True)
class QueueFilter:
    """Filters of both queues. None does not filter, except for the status, where it means "pending"."""

    reason: str | None = None
    grade: str | None = None
    school: str | None = None
    status: str | None = None
    #: Name of a proposed field; in the queue of escalations, of a missing one.
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


class SuggestionFilter(QueueFilter):
    """Filters of the queue of proposals."""


class EscalationFilter(QueueFilter):
    """Filters of the queue of escalations."""


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
        found.append(is_school(wanted.school))
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


# The queue of escalations: entries that wait for a person without a proposal, oldest first.


ESCALATIONS_A_PAGE = 50


@dataclass(frozen=True)
class EscalationRow:
    """One line of the queue."""

    id: uuid.UUID
    submission_id: uuid.UUID
    created_at: datetime
    reason: Message
    reason_codes: list[str]
    missing_fields: list[str]
    student_name: str | None
    school_name: str | None
    grade: str | None
    confidence: float | None
    #: Id and name of the holder; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None


def list_escalations(
    context: Context,
    cursor: str | None = None,
    limit: int = ESCALATIONS_A_PAGE,
    wanted: EscalationFilter = EscalationFilter(),  # noqa: B008 - frozen
) -> RowPage[EscalationRow]:
    """Return one page of the current season's escalations, the pending ones unless `wanted` names a status.

    Raises InvalidInputError for an invalid cursor.
    """
    with context.database.session() as session:
        query = of_escalations(_escalation_columns(), wanted, current_season(session).id, joined=True)
        rows, after, before = fetch_page(
            session, query, Escalation.created_at, Escalation.id, cursor, limit, newest_first=False
        )
    return RowPage(
        [
            built(
                EscalationRow,
                row,
                reason_codes=list(row.review_reason_codes),
                missing_fields=list(row.missing_fields),
            )
            for row in rows
        ],
        after,
        before,
    )


def _escalation_columns() -> Query:
    held = and_(Profile.id == ESCALATION_HOLDS.owner, ESCALATION_HOLDS.unexpired())
    return select(
        Escalation.id,
        Escalation.submission_id,
        Escalation.created_at,
        Escalation.reason,
        Submission.review_reason_codes,
        Submission.missing_fields,
        Submission.student_name,
        Submission.school_name,
        Submission.grade,
        Submission.confidence,
        Profile.id.label("held_by_id"),
        name_of(Profile).label("held_by"),
    ).outerjoin_from(Escalation, Profile, held)
