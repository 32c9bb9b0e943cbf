"""Tables of entries and of schools."""

from __future__ import annotations

import uuid
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Computed, ForeignKey, Identity, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum, Message
from core.models.base import Base, CreatedAt, JsonObject, Keyed, MayFail, Queued, Real, TextList, UuidKey

_SEARCH = "public.search_vector(student_name, school_name, contacts, file_name)"


class SubmissionStatus(LabelledEnum, places=("entry_status",)):
    """Statuses of an entry; from `completed` on, the outcome of its latest run."""

    QUEUED = "queued", "Queued"
    PROCESSING = "processing", "Being read"
    COMPLETED = "completed", "Completed"
    SUGGESTED = "suggested", "Proposal waiting"
    ESCALATED = "escalated", "Needs a person"
    RESOLVED = "resolved", "Settled"
    REJECTED = "rejected", "Rejected"
    SUPERSEDED = "superseded", "Replaced"
    FAILED = "failed", "Failed"


#: Statuses of an entry that waits for nobody and counts: the machine or a person has completed it.
COMPLETE_STATUSES = (SubmissionStatus.COMPLETED.value, SubmissionStatus.RESOLVED.value)


class EventKind(LabelledEnum, places=("event",)):
    """What happened to an entry, as the audit trail has it."""

    READ = "read", "Read"
    COMPLETED = "completed", "Completed by the supervisor"
    SUGGESTED = "suggested", "Proposal sent to a reviewer"
    ESCALATED = "escalated", "Escalated to a person"
    FAILED = "failed", "Reading failed"
    FIELD_APPROVED = "field_approved", "Proposal approved"
    FIELD_EDITED = "field_edited", "Proposal edited"
    FIELD_KEPT = "field_kept", "Kept as read"
    FIELD_REJECTED = "field_rejected", "Left undecided"
    SUGGESTION_DECIDED = "suggestion_decided", "Proposal decided"
    ESCALATION_RESOLVED = "escalation_resolved", "Settled"
    REJECTED = "rejected", "Entry rejected"
    EDITED = "edited", "Value changed"
    REOPENED = "reopened", "Reopened"
    UNDONE = "undone", "Decision undone"
    SUPERSEDED = "superseded", "Replaced"
    READ_AGAIN = "read_again", "Read again requested"
    DUPLICATE_FOUND = "duplicate_found", "Possible duplicate"
    DUPLICATE_DECIDED = "duplicate_decided", "Decided whether it is a duplicate"
    DEFAULTS_CHANGED = "defaults_changed", "Values from the upload filled in"
    RECEIVED_CHANGED = "received_changed", "Date received changed"
    TYPED_IN = "typed_in", "Typed in by hand"
    ASKED = "asked", "Added to the letter list"
    PARKED = "parked", "Parked"
    PUT_BACK = "put_back", "Put back in the queue"
    WAIVED = "waived", "Accepted as it is"


class RunStatus(StrEnum):
    QUEUED = "queued"
    #: Read, and waiting for the other entries of its file.
    READ = "read"
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    SETTLED = "settled"
    SUPERSEDED = "superseded"
    FAILED = "failed"


class Submission(MayFail, Keyed, Base):
    """One entry; columns that lists show are copied from its fields."""

    __tablename__ = "submissions"
    __table_args__ = (UniqueConstraint("upload_id", "chunk_index"),)

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    batch_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("upload_batches.id"))
    upload_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("uploads.id"))
    owner_user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    chunk_index: Mapped[int]
    page_start: Mapped[int]
    page_end: Mapped[int]
    doc_class: Mapped[str]
    doc_format: Mapped[str]
    profile: Mapped[str | None]
    #: Of a form of the database.
    profile_version: Mapped[int | None]
    chunk_metadata: Mapped[JsonObject]
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    run_no: Mapped[int] = mapped_column(server_default=text("1"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    needs_review: Mapped[bool] = mapped_column(server_default=text("true"))
    review_reason_codes: Mapped[TextList]
    missing_fields: Mapped[TextList]
    confidence: Mapped[Real | None]
    ocr_confidence_avg: Mapped[Real | None]
    student_name: Mapped[str | None]
    school_name: Mapped[str | None]
    grade: Mapped[str | None]
    word_count: Mapped[int | None]
    #: Required fields that a person has accepted as they are.
    waived: Mapped[TextList]
    #: "en" or "es", what it is written in; None where that is not known.
    language: Mapped[str | None]
    #: Whether the language is the one given for the batch, because the text does not show it.
    language_given: Mapped[bool] = mapped_column(server_default=text("false"))
    #: The day on which it was received, and whether a person gave it for this very entry.
    received_on: Mapped[date] = mapped_column(server_default=text("(now() at time zone 'utc')::date"))
    received_given: Mapped[bool] = mapped_column(server_default=text("false"))
    updated_at: Mapped[CreatedAt]
    #: Phone numbers and e-mail addresses among its values, which it is found by.
    contacts: Mapped[TextList]
    #: The name of its file, copied by the database.
    file_name: Mapped[str | None]
    search: Mapped[str | None] = mapped_column(TSVECTOR, Computed(_SEARCH, persisted=True), deferred=True)


class SearchWord(Base):
    """A word of a name, for searches with a wrong letter; maintained by the database (migration 005)."""

    __tablename__ = "search_words"

    word: Mapped[str] = mapped_column(primary_key=True)
    #: One of the entries that have it.
    submission_id: Mapped[uuid.UUID]
    shortened: Mapped[list[str] | None] = mapped_column(
        ARRAY(Text), Computed("public.shortened(word)", persisted=True), deferred=True
    )


class SchoolCount(Base):
    """A change of the number of entries with these values; kept by the database (migration 025)."""

    __tablename__ = "entry_counts"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    owner_user_id: Mapped[uuid.UUID]
    #: "" where none is known.
    school_name: Mapped[str]
    grade: Mapped[str]
    status: Mapped[str]
    #: What an entry that waits for a person lacks; of others nothing.
    missing_fields: Mapped[TextList]
    number: Mapped[int]
    #: It is the sum of earlier changes.
    folded: Mapped[bool] = mapped_column(server_default=text("false"))


class SubmissionField(Base):
    """The value of one field of an entry, and where it came from."""

    __tablename__ = "submission_fields"
    __table_args__ = (UniqueConstraint("submission_id", "name"),)

    id: Mapped[UuidKey]
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    name: Mapped[str]
    value: Mapped[str | None]
    confidence: Mapped[Real] = mapped_column(server_default=text("0"))
    source: Mapped[str | None]
    method: Mapped[str | None]
    #: What the value was respelled after, as a `Message` in JSON.
    way: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: How probable it is that the value is right, as people see it; None where nothing was estimated.
    probability: Mapped[Real | None]
    #: Who confirmed or gave the value, and when. `source` and `method` still say how it was read.
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
    #: Something was written there that is not a value of the field's kind.
    unfit: Mapped[bool] = mapped_column(server_default=text("false"))
    page: Mapped[int | None]
    x0: Mapped[Real | None]
    y0: Mapped[Real | None]
    x1: Mapped[Real | None]
    y1: Mapped[Real | None]
    #: What the second reader read, and a `Agreement`; both None if it was not asked.
    second_value: Mapped[str | None]
    second_agreement: Mapped[str | None]
    run_no: Mapped[int] = mapped_column(server_default=text("1"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    updated_at: Mapped[CreatedAt]


class FieldEvidence(Base):
    """One piece of a page that a field's value was read from."""

    __tablename__ = "field_evidence"

    field_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("submission_fields.id", ondelete="CASCADE"), primary_key=True
    )
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    page: Mapped[int]
    x0: Mapped[Real]
    y0: Mapped[Real]
    x1: Mapped[Real]
    y1: Mapped[Real]


class Run(Queued, Base):
    """One run of the orchestrator over an entry; `run_id` is `submission:run_no`."""

    __tablename__ = "runs"
    __table_args__ = (UniqueConstraint("submission_id", "run_no"),)

    run_id: Mapped[str] = mapped_column(primary_key=True)
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    run_no: Mapped[int]
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    outcome: Mapped[str | None]
    #: Why it ended so.
    reason: Mapped[Message | None]
    options: Mapped[JsonObject]
    tools_used: Mapped[TextList]
    confidence: Mapped[Real | None]
    #: Nothing was missing, weak or in doubt: the confidence alone decided. None for older runs.
    ready: Mapped[bool | None]
    #: The confidence with the rule on two readers that agree the other way: 0 if something would be open, None
    #: if that makes no difference (migration 024).
    confidence_otherwise: Mapped[Real | None]
    #: Changes of the joint pass (`pipeline.joint_pass.votes.Respelling`); None before it has run.
    together: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB(none_as_null=True))
    #: It was shown to a person before the joint pass, which is still to come.
    shown_early: Mapped[bool] = mapped_column(server_default=text("false"))
    #: The joint pass over the batch is still to come.
    batch_due: Mapped[bool] = mapped_column(server_default=text("false"))
    #: The joint pass over the batch began it, because the pass changes a value of the entry's previous run.
    reopened: Mapped[bool] = mapped_column(server_default=text("false"))
    started_at: Mapped[datetime | None]
    settled_at: Mapped[datetime | None]
    pruned_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]


class ReviewEvent(Base):
    """One event of the audit trail: who, what, when, values before and after, and why."""

    __tablename__ = "review_events"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    kind: Mapped[str]
    field_name: Mapped[str | None]
    before_value: Mapped[str | None]
    after_value: Mapped[str | None]
    #: What the acting person wrote.
    reason: Mapped[str | None]
    #: The machine's message about it.
    message: Mapped[Message | None]
    run_no: Mapped[int | None]
    version: Mapped[int | None]
    created_at: Mapped[CreatedAt]


# The school list, and what the names in entries mean (migration 002).


class School(Keyed, Base):
    """One school of a season's list."""

    __tablename__ = "schools"
    __table_args__ = (UniqueConstraint("season_id", "name_key"),)

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    name: Mapped[str]
    name_key: Mapped[str]
    city: Mapped[str | None]
    district: Mapped[str | None]
    #: Where letters to the school go.
    email: Mapped[str | None]


class SchoolAlias(Base):
    """Another spelling of a school's name."""

    __tablename__ = "school_aliases"
    __table_args__ = (UniqueConstraint("school_id", "alias_key"),)

    id: Mapped[UuidKey]
    school_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("schools.id", ondelete="CASCADE"))
    alias: Mapped[str]
    alias_key: Mapped[str]


class SchoolSpelling(Base):
    """A school's name as entries have it, and the school that it means."""

    __tablename__ = "school_spellings"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True)
    spelling: Mapped[str] = mapped_column(primary_key=True)
    #: The same for all spellings of one school: the key of the listed school's name, or else of the spelling.
    school_key: Mapped[str]
    #: The school of the list.
    school_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("schools.id", ondelete="SET NULL"))


# Keys by which possible duplicates are found (migration 010).


class DuplicateKey(Base):
    """One number by which an entry is found; see `pipeline.duplicates.comparison`."""

    __tablename__ = "duplicate_keys"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    submission_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True
    )


class PageFingerprint(Base):
    """The map of the ink of one page of an entry; see `pipeline.duplicates.pictures`."""

    __tablename__ = "page_fingerprints"

    submission_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True
    )
    #: From 1, in the entry.
    position: Mapped[int] = mapped_column(primary_key=True)
    ink: Mapped[bytes]


# Possible duplicates (migration 010).


class PairDecision(LabelledEnum, places=("pair_decision",)):
    KEEP_FIRST = "keep_first", "The first was kept"
    KEEP_SECOND = "keep_second", "The second was kept"
    KEEP_BOTH = "keep_both", "Not the same: both were kept"
    REPLACE = "replace", "The second replaced the first"
    JOIN = "join", "Both were joined into one entry"


class DuplicatePair(Keyed, Base):
    """Two entries that may be one, and what a person decided."""

    __tablename__ = "duplicate_pairs"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    first_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    #: The later one, which waits for the decision.
    second_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    #: See `pipeline.duplicates.comparison`.
    likenesses: Mapped[TextList]
    strength: Mapped[str]
    essay: Mapped[Real | None]
    version: Mapped[int] = mapped_column(server_default=text("1"))
    decision: Mapped[str | None]
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
