"""One proposal with its evidence, and the value that is chosen first."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Select, select, tuple_
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import Profile, ReviewSuggestion, ReviewSuggestionField, Submission, SuggestionStatus, Upload
from core.models.leases import SUGGESTION_HOLDS
from core.plain_data import built
from pipeline.extraction.readings import seen_as_same
from pipeline.profiles import field_kind
from pipeline.schema import Preferred
from services.context import Context
from services.entries.detail import FieldView, form_order, read_fields
from services.pages import Document, PagePlace, page_place_of, page_views_of


@dataclass(frozen=True)
class FieldChoice:
    name: str
    current: str | None
    #: None if nothing is proposed; a person fills it in.
    proposed: str | None
    final: str | None
    confidence: float
    source: str | None
    method: str | None
    reason: Message | None
    #: Places where the proposed value was read, then where the current value was read.
    places: list[PagePlace]
    #: A value of `pipeline.schema.Preferred`.
    preferred: str
    decision: str
    #: How probable it is that the proposed value is right; None where nothing was estimated.
    probability: float | None = None

    @property
    def sureness(self) -> float:
        """How sure the machine is of the proposed value, as people see it."""
        return self.confidence if self.probability is None else self.probability

    @property
    def confirms(self) -> bool:
        """Whether the proposed value looks like the current one to a person."""
        if self.proposed is None or self.current is None:
            return False
        return self.proposed == self.current or seen_as_same(field_kind(self.name), self.proposed, self.current)

    @property
    def preselected(self) -> Action:
        """The preselected answer."""
        return preselected(self.current, self.proposed, self.preferred)

    @property
    def to_edit(self) -> str | None:
        """The initial text for editing: the proposed value if it is preferred, else the current value."""
        return self.proposed if self.preselected == "approve" else self.current


@dataclass(frozen=True)
class SuggestionDetail:
    id: uuid.UUID
    submission_id: uuid.UUID
    version: int
    status: str
    reason: Message | None
    created_at: datetime
    resolved_at: datetime | None
    resolved_by: str | None
    student_name: str | None
    confidence: float | None
    reason_codes: list[str]
    missing_fields: list[str]
    document: Document
    fields: list[FieldChoice]
    #: The fields of the record that are not part of the proposal.
    others: list[FieldView]
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None
    previous_id: uuid.UUID | None
    next_id: uuid.UUID | None


def suggestion_detail(context: Context, suggestion_id: uuid.UUID) -> SuggestionDetail:
    """Return one proposal. Raises NotFoundError."""
    with context.database.reading() as session:
        row = session.execute(
            select(ReviewSuggestion, Submission, Upload.original_filename, Profile.display_name, Profile.email)
            .join(Submission, Submission.id == ReviewSuggestion.submission_id)
            .join(Upload, Upload.id == Submission.upload_id)
            .outerjoin(Profile, Profile.id == ReviewSuggestion.resolved_by_user_id)
            .where(ReviewSuggestion.id == suggestion_id)
        ).one_or_none()
        if row is None:
            raise NotFoundError("no such proposal")
        suggestion, submission, filename, display_name, email = row
        held = SUGGESTION_HOLDS.current(session, suggestion.id)
        holder = session.get(Profile, held.holder) if held else None
        record = read_fields(session, submission.id).views
        fields = proposed_fields(session, suggestion.id, {field.name: field.places for field in record})
        proposed = {field.name for field in fields}
        return built(
            SuggestionDetail,
            suggestion,
            submission_id=submission.id,
            resolved_by=display_name or email,
            student_name=submission.student_name,
            confidence=submission.confidence,
            reason_codes=list(submission.review_reason_codes),
            missing_fields=list(submission.missing_fields),
            document=Document(submission.upload_id, filename, page_views_of(session, submission)),
            fields=fields,
            others=[field for field in record if field.name not in proposed],
            held_by_id=holder.id if holder else None,
            held_by=(holder.display_name or holder.email) if holder else None,
            held_until=held.until if held else None,
            previous_id=_neighbour(session, suggestion, after=False),
            next_id=_neighbour(session, suggestion, after=True),
        )


_ORDER = (ReviewSuggestion.created_at, ReviewSuggestion.id)


def _pending(season_id: uuid.UUID) -> Select[uuid.UUID]:
    return select(ReviewSuggestion.id).where(
        ReviewSuggestion.season_id == season_id, ReviewSuggestion.status == SuggestionStatus.PENDING.value
    )


def _neighbour(session: Session, suggestion: ReviewSuggestion, after: bool) -> uuid.UUID | None:
    here, there = tuple_(*_ORDER), tuple_(suggestion.created_at, suggestion.id)
    query = _pending(suggestion.season_id).where(here > there if after else here < there)
    order = [column.asc() if after else column.desc() for column in _ORDER]
    found: uuid.UUID | None = session.scalar(query.order_by(*order).limit(1))
    return found


def proposed_fields(
    session: Session, suggestion_id: uuid.UUID, read_at: Mapping[str, list[PagePlace]]
) -> list[FieldChoice]:
    """Return the fields of a proposal in the order of the form; `read_at`: where each field was read at first."""
    rows = session.scalars(
        select(ReviewSuggestionField).where(ReviewSuggestionField.suggestion_id == suggestion_id)
    )
    fields = [
        built(
            FieldChoice,
            row,
            current=row.current_value,
            proposed=row.proposed_value,
            final=row.final_value,
            places=_places(page_place_of(row), read_at.get(row.name, [])),
        )
        for row in rows
    ]
    return sorted(fields, key=lambda field: form_order(field.name))


def _places(proposed: PagePlace | None, read: list[PagePlace]) -> list[PagePlace]:
    """Return the proposal's place, which is its first evidence only, with those of the field's first reading."""
    if proposed is None:
        return read
    return [proposed, *(place for place in read if place != proposed)]


Action = Literal["approve", "edit", "keep", "reject"]


def preselected(current: str | None, proposed: str | None, preferred: str) -> Action:
    """Return the answer that the scorers support for a proposed field.

    "approve" if the scorers prefer the proposed value, "keep" if they prefer the current one. "edit" if a value is
    missing, and "reject" if neither is preferred: both leave the field to a person.
    """
    if proposed is not None and preferred == Preferred.PROPOSED:
        return "approve"
    if current is None or proposed is None:
        return "edit"
    return "keep" if preferred == Preferred.AS_READ else "reject"
