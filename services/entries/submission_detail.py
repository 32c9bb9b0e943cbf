"""One entry in full: fields with their evidence, pages, history, and pending escalation or proposal."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import (
    Escalation,
    FieldEvidence,
    Profile,
    ReviewSuggestion,
    Submission,
    SubmissionField,
    Upload,
)
from pipeline.profiles.declared import text_fields
from pipeline.schema import FIELD_NAMES
from pipeline.validation.characters import character_count
from services.accounts.person import Person
from services.context import Context
from services.duplicates.others import OtherSubmission, others_of, waiting_pair_of
from services.entries.past_splits import PastSplit, replacement_of
from services.entries.submission_history import PAGE_SIZE, HistoryEntry, history_of
from services.keyset import Page
from services.late import is_late
from services.pages.document_pages import Document, Place, document_of
from services.seasons import limits_of
from services.visibility import visible_to


@dataclass(frozen=True)
class FieldView:
    """One field: its value, confidence, origin and places on the pages."""

    name: str
    value: str | None
    confidence: float
    source: str | None
    method: str | None
    places: list[Place] = field(default_factory=list)
    #: What the value was respelled after.
    way: Message | None = None
    #: Of a whole text: its length, and the most that its form allows (None where it says nothing).
    characters: int | None = None
    limit: int | None = None
    #: How probable it is that the value is right; None where nothing was estimated.
    probability: float | None = None
    #: Who confirmed or gave the value, and when; the person is None where that is not known any more.
    decided_by: str | None = None
    decided_at: datetime | None = None

    @property
    def sureness(self) -> float:
        """How sure the machine is of the value, as people see it."""
        return self.confidence if self.probability is None else self.probability


@dataclass(frozen=True)
class EscalationView:
    """A pending escalation."""

    id: uuid.UUID
    version: int
    reason: Message
    created_at: datetime
    #: The pair with the entry that it may be the same as, or the other half of; None where none waits.
    pair_id: uuid.UUID | None


@dataclass(frozen=True)
class SubmissionDetail:
    """The data of the page of one entry."""

    id: uuid.UUID
    batch_id: uuid.UUID
    status: str
    version: int
    run_no: int
    needs_review: bool
    reason_codes: list[str]
    missing_fields: list[str]
    confidence: float | None
    student_name: str | None
    doc_class: str
    doc_format: str
    profile: str | None
    page_start: int
    page_end: int
    error_code: str | None
    error_params: dict[str, Any]
    created_at: datetime
    received_on: date
    #: Whether a person gave the day for this very entry.
    received_given: bool
    late: bool
    document: Document
    fields: list[FieldView]
    history: Page[HistoryEntry]
    escalation: EscalationView | None
    suggestion_id: uuid.UUID | None
    #: The split correction that superseded the entry.
    replacement: PastSplit | None
    #: Entries that it may be the same as, for people who see all.
    others: list[OtherSubmission]


def submission_detail(
    context: Context, person: Person, submission_id: uuid.UUID, cursor: str | None = None, limit: int = PAGE_SIZE
) -> SubmissionDetail:
    """Return one entry, with the page of its history at this cursor.

    Raises NotFoundError if it does not exist or this person may not see it, InvalidInputError for a bad cursor.
    """
    with context.database.session() as session:
        row = session.execute(
            select(Submission, Upload, is_late())
            .join(Upload, Upload.id == Submission.upload_id)
            .where(Submission.id == submission_id, visible_to(person, Submission.owner_user_id))
        ).one_or_none()
        if row is None:
            raise NotFoundError("no such entry for this person")
        submission, upload, late = row
        return SubmissionDetail(
            id=submission.id,
            batch_id=submission.batch_id,
            status=submission.status,
            version=submission.version,
            run_no=submission.run_no,
            needs_review=submission.needs_review,
            reason_codes=list(submission.review_reason_codes),
            missing_fields=list(submission.missing_fields),
            confidence=submission.confidence,
            student_name=submission.student_name,
            doc_class=submission.doc_class,
            doc_format=submission.doc_format,
            profile=submission.profile,
            page_start=submission.page_start,
            page_end=submission.page_end,
            error_code=submission.error_code,
            error_params=submission.error_params,
            created_at=submission.created_at,
            received_on=submission.received_on,
            received_given=submission.received_given,
            late=late,
            document=document_of(session, submission, upload),
            fields=measured_fields(session, context, submission),
            history=history_of(session, submission.id, cursor, limit),
            escalation=_escalation(session, submission.id),
            suggestion_id=_suggestion(session, submission.id),
            replacement=replacement_of(session, submission.id),
            others=others_of(session, submission.id) if person.role.sees_all else [],
        )


def measured_fields(session: Session, context: Context, submission: Submission) -> list[FieldView]:
    """Return the fields, whole texts with their lengths and limits."""
    limits = limits_of(
        session, submission.season_id, (submission.profile, submission.profile_version), context.settings
    )
    return [
        replace(view, characters=character_count(view.value), limit=limits.get(view.name))
        if view.value is not None and (view.name in limits or view.name in text_fields())
        else view
        for view in fields_of(session, submission.id)
    ]


def fields_of(session: Session, submission_id: uuid.UUID) -> list[FieldView]:
    """Return the entry's fields in the order of the form, each with all places of its evidence."""
    rows = session.execute(
        select(SubmissionField, Profile.display_name, Profile.email)
        .outerjoin(Profile, Profile.id == SubmissionField.decided_by)
        .where(SubmissionField.submission_id == submission_id)
    ).all()
    places: dict[uuid.UUID, list[Place]] = {}
    evidence = session.scalars(
        select(FieldEvidence)
        .where(FieldEvidence.field_id.in_([row.id for row, _, _ in rows]))
        .order_by(FieldEvidence.field_id, FieldEvidence.ordinal)
    )
    for piece in evidence:
        place = Place(piece.page, piece.x0, piece.y0, piece.x1, piece.y1)
        places.setdefault(piece.field_id, []).append(place)
    views = [
        FieldView(
            row.name,
            row.value,
            row.confidence,
            row.source,
            row.method,
            places.get(row.id, []),
            Message.from_json(row.way) if row.way else None,
            probability=row.probability,
            decided_by=display_name or email,
            decided_at=row.decided_at,
        )
        for row, display_name, email in rows
    ]
    return sorted(views, key=lambda view: form_order(view.name))


def form_order(name: str) -> tuple[int, str]:
    """Return a sort key: the order of the form, then fields of other forms by name."""
    return (FIELD_NAMES.index(name) if name in FIELD_NAMES else len(FIELD_NAMES), name)


def _escalation(session: Session, submission_id: uuid.UUID) -> EscalationView | None:
    row = session.scalar(
        select(Escalation)
        .where(Escalation.submission_id == submission_id, Escalation.status == "pending")
        .order_by(Escalation.created_at.desc())
        .limit(1)
    )
    if row is None:
        return None
    return EscalationView(row.id, row.version, row.reason, row.created_at, waiting_pair_of(session, submission_id))


def _suggestion(session: Session, submission_id: uuid.UUID) -> uuid.UUID | None:
    return session.scalar(
        select(ReviewSuggestion.id)
        .where(ReviewSuggestion.submission_id == submission_id, ReviewSuggestion.status == "pending")
        .limit(1)
    )
