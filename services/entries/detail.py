"""One entry with all that is known of it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, exists, or_, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import (
    Escalation,
    FieldEvidence,
    OrchestratorLog,
    Profile,
    ReviewDecision,
    ReviewEvent,
    ReviewSuggestion,
    Season,
    SplitStatus,
    Submission,
    SubmissionField,
    SubmissionStatus,
    Upload,
    UploadSplit,
    UploadStatus,
)
from core.plain_data import built
from pipeline.profiles import text_fields
from pipeline.reason_codes import SecondWay
from pipeline.schema import FIELD_NAMES, Agreement
from pipeline.supabase_db import evidence_of
from pipeline.validation.policy import Policy, character_count, character_limits
from services.accounts.person import Person, name_of, visible_to
from services.context import Context
from services.duplicates import OtherSubmission, others_of
from services.keyset import Cursor, RowPage, cut_page
from services.pages import Document, PagePlace, document_of
from services.policy import policy_of
from services.seasons import is_late

PAGE_SIZE = 100
#: The highest number that PostgreSQL gives an event.
_LAST_NUMBER = 2**63 - 1


@dataclass(frozen=True)
class HistoryEntry:
    #: Of this line within the entry's history.
    id: uuid.UUID
    at: datetime
    #: An event's kind, or the action of a step.
    kind: str
    #: Whether this is a step of the supervisor, not an event of the audit trail.
    is_step: bool
    #: Name of the person; None for the machine.
    actor: str | None = None
    field_name: str | None = None
    before: str | None = None
    after: str | None = None
    #: What a person wrote.
    reason: str | None = None
    #: What the machine says.
    message: Message | None = None
    run_no: int | None = None
    duration_ms: int | None = None
    model: str | None = None
    #: Id of the LangSmith trace of the step's run.
    trace_id: str | None = None
    #: Whether the decision that it belongs to was undone.
    undone: bool = False


def history_of(
    session: Session, submission_id: uuid.UUID, cursor: str | None = None, limit: int = PAGE_SIZE
) -> RowPage[HistoryEntry]:
    """Return one page of the history of an entry, newest first. Raises InvalidInputError for a bad cursor."""
    place = Cursor.decode(cursor) if cursor else None
    backwards = place is not None and place.backwards
    found = _events(session, submission_id, place, limit + 1) + _steps(session, submission_id, place, limit + 1)
    found.sort(key=lambda entry: (entry.at, entry.id), reverse=not backwards)
    rows, after, before = cut_page(found[: limit + 1], "at", place, limit)
    return RowPage(list(rows), after, before)


def _near(
    query: Select[*tuple[Any, ...]],
    place: Cursor | None,
    at: InstrumentedAttribute[datetime],
    key: InstrumentedAttribute[Any],
    key_of_place: int | uuid.UUID,
) -> Select[*tuple[Any, ...]]:
    """Return the rows of one table next to a place of the history, nearest first."""
    here = tuple_(at, key)
    if place is None:
        return query.order_by(at.desc(), key.desc())
    there = tuple_(place.sorted_by, key_of_place)
    if place.backwards:
        return query.where(here > there).order_by(at, key)
    return query.where(here < there).order_by(at.desc(), key.desc())


def _events(session: Session, submission_id: uuid.UUID, place: Cursor | None, most: int) -> list[HistoryEntry]:
    query = (
        select(ReviewEvent, name_of(Profile), _is_undone())
        .outerjoin(Profile, Profile.id == ReviewEvent.actor_id)
        .where(ReviewEvent.submission_id == submission_id)
    )
    # An event's number is the lowest part of an id, so that at one moment all events come before all steps.
    number = min(place.id.int, _LAST_NUMBER) if place else 0
    rows = session.execute(_near(query, place, ReviewEvent.created_at, ReviewEvent.id, number).limit(most))
    return [
        HistoryEntry(
            id=uuid.UUID(int=event.id),
            at=event.created_at,
            kind=event.kind,
            is_step=False,
            actor=actor,
            field_name=event.field_name,
            before=event.before_value,
            after=event.after_value,
            reason=event.reason,
            message=event.message,
            run_no=event.run_no,
            undone=undone,
        )
        for event, actor, undone in rows
    ]


def _is_undone() -> ColumnElement[bool]:
    """Condition: the event is of an undone decision. All rows of a transaction have the same time."""
    return exists().where(
        ReviewDecision.submission_id == ReviewEvent.submission_id,
        ReviewDecision.created_at == ReviewEvent.created_at,
        ReviewDecision.undone_at.is_not(None),
    )


def _steps(session: Session, submission_id: uuid.UUID, place: Cursor | None, most: int) -> list[HistoryEntry]:
    query = select(
        OrchestratorLog.id,
        OrchestratorLog.timestamp,
        OrchestratorLog.action_taken,
        OrchestratorLog.reason,
        OrchestratorLog.run_id,
        OrchestratorLog.duration_ms,
        OrchestratorLog.model,
        OrchestratorLog.trace_id,
    ).where(OrchestratorLog.submission_id == submission_id)
    key = place.id if place else submission_id
    rows = session.execute(_near(query, place, OrchestratorLog.timestamp, OrchestratorLog.id, key).limit(most))
    return [
        HistoryEntry(
            id=row.id,
            at=row.timestamp,
            kind=row.action_taken,
            is_step=True,
            message=row.reason,
            run_no=int(row.run_id.rpartition(":")[2]),
            duration_ms=row.duration_ms,
            model=row.model,
            trace_id=row.trace_id,
        )
        for row in rows
    ]


@dataclass(frozen=True)
class EntryName:
    id: uuid.UUID
    student_name: str | None
    status: str


@dataclass(frozen=True)
class PastSplit:
    id: uuid.UUID
    actor: str
    at: datetime
    superseded: list[EntryName]
    made: list[EntryName]
    #: Whether its background work is still to be done.
    waits: bool
    #: The error of its background work, if it failed.
    error: Message | None


def past_splits(session: Session, upload_ids: Sequence[uuid.UUID]) -> list[PastSplit]:
    """Return the corrections of these files, and those that made them, newest first, without undone ones."""
    rows = session.execute(
        select(UploadSplit, name_of(Profile).label("actor"), Upload.status, Upload.error_code, Upload.error_params)
        .join(Profile, Profile.id == UploadSplit.actor_id)
        .outerjoin(Upload, Upload.id == UploadSplit.made_upload_id)
        .where(
            or_(UploadSplit.upload_ids.overlap(list(upload_ids)), UploadSplit.made_upload_id.in_(upload_ids)),
            UploadSplit.status != SplitStatus.UNDONE.value,
        )
        .order_by(UploadSplit.created_at.desc(), UploadSplit.id)
    ).all()
    names = _names(session, [row.UploadSplit for row in rows])
    return [
        PastSplit(
            id=row.UploadSplit.id,
            actor=row.actor,
            at=row.UploadSplit.created_at,
            superseded=[names[found] for found in superseded_ids(row.UploadSplit) if found in names],
            made=[names[found] for found in planned_ids(row.UploadSplit) if found in names],
            waits=row.UploadSplit.status == SplitStatus.PENDING and row.status != UploadStatus.FAILED,
            error=Message(row.error_code, row.error_params) if row.error_code else None,
        )
        for row in rows
    ]


def superseded_ids(split: UploadSplit) -> list[uuid.UUID]:
    """Return the ids of the entries that a correction superseded."""
    return [uuid.UUID(stood["submission_id"]) for stood in split.superseded]


def planned_ids(split: UploadSplit) -> list[uuid.UUID]:
    """Return the ids of the entries that a correction makes or has made."""
    return [uuid.UUID(entry["submission_id"]) for entry in split.plan]


def replacement_of(session: Session, submission_id: uuid.UUID) -> PastSplit | None:
    """Return the correction in force that superseded an entry; its `made` entries replace that entry."""
    split = session.scalar(
        select(UploadSplit)
        .where(
            UploadSplit.superseded.contains([{"submission_id": str(submission_id)}]),
            UploadSplit.status != SplitStatus.UNDONE.value,
        )
        .order_by(UploadSplit.created_at.desc())
        .limit(1)
    )
    if split is None:
        return None
    return next(found for found in past_splits(session, split.upload_ids) if found.id == split.id)


def _names(session: Session, splits: Sequence[UploadSplit]) -> dict[uuid.UUID, EntryName]:
    ids = {found for split in splits for found in (*superseded_ids(split), *planned_ids(split))}
    rows = session.execute(
        select(Submission.id, Submission.student_name, Submission.status).where(Submission.id.in_(ids))
    )
    return {row.id: EntryName(row.id, row.student_name, row.status) for row in rows}


@dataclass(frozen=True)
class FieldView:
    """One field: its value, confidence, origin and places on the pages."""

    name: str
    value: str | None
    confidence: float
    source: str | None
    method: str | None
    places: list[PagePlace] = field(default_factory=list)
    #: What the value was respelled after.
    way: Message | None = None
    #: For a long text: its length, and the most that its form allows (None without a limit).
    characters: int | None = None
    limit: int | None = None
    #: How probable it is that the value is right; None where nothing was estimated.
    probability: float | None = None
    #: Who confirmed or gave the value, and when; the person is None if no longer known.
    decided_by: str | None = None
    decided_at: datetime | None = None
    #: What the second reader read, and a `pipeline.schema.Agreement`; both None if it was not asked.
    second_value: str | None = None
    second_agreement: str | None = None

    @property
    def second(self) -> Message | None:
        """What the second reader says of the value; None if it was not asked, or neither reader has a value."""
        match self.second_agreement:
            case Agreement.AGREE:
                return Message.of(SecondWay.AGREES)
            case Agreement.DIFFER | Agreement.ONLY_SECOND:
                return Message.of(SecondWay.DIFFERS, value=self.second_value)
            case Agreement.ONLY_FIRST:
                return Message.of(SecondWay.EMPTY)
        return None

    @property
    def sureness(self) -> float:
        """How sure the machine is of the value, as people see it."""
        return self.confidence if self.probability is None else self.probability


@dataclass(frozen=True)
class EscalationView:
    id: uuid.UUID
    version: int
    reason: Message
    created_at: datetime


@dataclass(frozen=True)
class SubmissionDetail:
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
    #: Whether a person gave the day for this entry itself.
    received_given: bool
    late: bool
    document: Document
    fields: list[FieldView]
    #: The escalation that waits.
    escalation: EscalationView | None
    #: The proposal that waits.
    suggestion_id: uuid.UUID | None


def submission_detail(context: Context, person: Person, submission_id: uuid.UUID) -> SubmissionDetail:
    """Return one entry. Raises NotFoundError if it does not exist or this person may not see it."""
    with context.database.reading() as session:
        row = session.execute(
            select(Submission, Upload, Season, is_late(), Escalation, _latest(ReviewSuggestion))
            .join(Upload, Upload.id == Submission.upload_id)
            .join(Season, Season.id == Submission.season_id)
            .outerjoin(Escalation, Escalation.id == _latest(Escalation))
            .where(Submission.id == submission_id, visible_to(person, Submission.owner_user_id))
        ).one_or_none()
        if row is None:
            raise NotFoundError("no such entry for this person")
        submission, upload, season, late, escalation, suggestion_id = row
        policy = policy_of(context.settings, season.policy)
        return built(
            SubmissionDetail,
            submission,
            reason_codes=list(submission.review_reason_codes),
            missing_fields=list(submission.missing_fields),
            late=late,
            document=document_of(session, submission, upload),
            fields=measured(read_fields(session, submission.id).views, submission, policy),
            escalation=built(EscalationView, escalation) if escalation else None,
            suggestion_id=suggestion_id,
        )


def _latest(row: type[Escalation | ReviewSuggestion]) -> Any:
    """Return the id of the entry's last item of this kind that waits, as a subquery."""
    waiting = select(row.id).where(row.submission_id == Submission.id, row.status == "pending")
    return waiting.order_by(row.created_at.desc()).limit(1).correlate(Submission).scalar_subquery()


@dataclass(frozen=True)
class Surroundings:
    """What is shown beside an entry: its history, and the entries that it has to do with."""

    history: RowPage[HistoryEntry]
    #: The split correction that superseded the entry.
    replacement: PastSplit | None
    #: Entries that it may be the same as, for people who see all.
    others: list[OtherSubmission]

    @property
    def waiting_pair(self) -> uuid.UUID | None:
        """The pair that waits longest for a person."""
        return next((other.pair_id for other in self.others if other.waits), None)


def surroundings_of(
    context: Context, person: Person, entry: SubmissionDetail, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Surroundings:
    """Return them with the page of the history at this cursor. Raises InvalidInputError for a bad cursor."""
    with context.database.reading() as session:
        return Surroundings(
            history_of(session, entry.id, cursor, limit),
            replacement_of(session, entry.id) if entry.status == SubmissionStatus.SUPERSEDED else None,
            others_of(session, entry.id) if person.role.sees_all else [],
        )


def measured(views: Sequence[FieldView], submission: Submission, policy: Policy) -> list[FieldView]:
    """Return the fields of an entry, long texts with their lengths and limits."""
    limits = character_limits(submission.profile, submission.profile_version, policy)
    return [
        replace(view, characters=character_count(view.value), limit=limits.get(view.name))
        if view.value is not None and (view.name in limits or view.name in text_fields())
        else view
        for view in views
    ]


class ReadFields(NamedTuple):
    """The fields of an entry, read once."""

    #: Each with its evidence.
    stored: dict[SubmissionField, list[FieldEvidence]]
    #: In the order of the form, each with all places of its evidence.
    views: list[FieldView]


def read_fields(session: Session, submission_id: uuid.UUID) -> ReadFields:
    """Return the entry's fields as they are stored and as they are shown."""
    rows = session.execute(
        select(SubmissionField, name_of(Profile))
        .outerjoin(Profile, Profile.id == SubmissionField.decided_by)
        .where(SubmissionField.submission_id == submission_id)
    ).all()
    stored = evidence_of(session, [row for row, _ in rows])
    views = [
        FieldView(
            row.name,
            row.value,
            row.confidence,
            row.source,
            row.method,
            [PagePlace(one.page, one.x0, one.y0, one.x1, one.y1) for one in stored[row]],
            Message.from_json(row.way) if row.way else None,
            probability=row.probability,
            decided_by=decided_by,
            decided_at=row.decided_at,
            second_value=row.second_value,
            second_agreement=row.second_agreement,
        )
        for row, decided_by in rows
    ]
    return ReadFields(stored, sorted(views, key=lambda view: form_order(view.name)))


def form_order(name: str) -> tuple[int, str]:
    """Return a sort key: the order of the form, then fields of other forms by name."""
    return (FIELD_NAMES.index(name) if name in FIELD_NAMES else len(FIELD_NAMES), name)
