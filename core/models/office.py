"""Tables of the office: forms and their drafts, lists, entries that are read again."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum, Message
from core.models.base import Base, BigInt, CreatedAt, JsonObject, Keyed, MayFail, Queued, TextList, UuidKey

# Forms that admins describe (migration 014).


class FormStatus(LabelledEnum, places=("form_status",)):
    DRAFT = "draft", "Draft"
    #: Pages are matched with it.
    ACTIVE = "active", "In use"
    RETIRED = "retired", "Retired"


class FormProfile(Keyed, Base):
    """One version of a form; it never changes but for its status."""

    __tablename__ = "form_profiles"
    __table_args__ = (UniqueConstraint("key", "version"),)

    key: Mapped[str]
    version: Mapped[int]
    label: Mapped[str]
    #: A key of `pipeline.profiles.ProfileKind`.
    kind: Mapped[str]
    #: A `pipeline.profiles.FormSpec`.
    definition: Mapped[dict[str, Any]] = mapped_column(JSON)
    #: The empty form in the file store.
    blank_key: Mapped[str | None]
    status: Mapped[str]
    #: None: the command line.
    made_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    status_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    status_at: Mapped[CreatedAt]


class FormGeneration(Base):
    """One row: its name changes with every change of the forms."""

    __tablename__ = "form_generation"

    id: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    name: Mapped[str] = mapped_column(server_default=text("''"))


# Forms that are being described in the studio, and samples that they are tried on (migration 014).


class FormDraftStatus(LabelledEnum, places=("form_draft_status",)):
    QUEUED = "queued", "Waiting"
    READING = "reading", "The empty form is being read"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"


class FormSampleStatus(LabelledEnum, places=("form_sample_status",)):
    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Being read"
    DONE = "done", "Read"
    FAILED = "failed", "Failed"


class FormDraft(MayFail, Queued, Keyed, Base):
    """A blank form with marks on it."""

    __tablename__ = "form_drafts"

    created_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    original_filename: Mapped[str]
    byte_size: Mapped[BigInt]
    #: The page of the file that is the form, and the page that is to be read as the form next.
    page_no: Mapped[int] = mapped_column(server_default=text("1"))
    wanted_page: Mapped[int] = mapped_column(server_default=text("1"))
    page_count: Mapped[int | None]
    #: Key of the form that its marks began as.
    start_key: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    #: See `pipeline.blanks.marks`; None before the blank was read.
    marks: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    version: Mapped[int] = mapped_column(server_default=text("0"))
    changed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    changed_at: Mapped[datetime | None]
    #: The version of the form that it was saved as last, and the version of the draft that was saved.
    saved_version: Mapped[int | None]
    saved_from: Mapped[int | None]


class FormDraftStep(Base):
    """The marks of one version of a draft."""

    __tablename__ = "form_draft_steps"

    draft_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("form_drafts.id", ondelete="CASCADE"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    page_no: Mapped[int]
    marks: Mapped[dict[str, Any]]
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    created_at: Mapped[CreatedAt]


class FormSample(MayFail, Queued, Keyed, Base):
    """A filled form that a draft is tried on."""

    __tablename__ = "form_samples"

    draft_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("form_drafts.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    #: An entry that is read as a sample; None where the sample was uploaded.
    submission_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    original_filename: Mapped[str]
    byte_size: Mapped[BigInt] = mapped_column(server_default=text("0"))
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    #: The version of the draft that it was read by.
    draft_version: Mapped[int | None]
    #: See `services.form_studio.samples`.
    result: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    finished_at: Mapped[datetime | None]


# Filters that a person keeps, and changes of many entries at once (migration 013).


class BulkKind(LabelledEnum):
    SET = "set", "Set to one value"
    RENAME = "rename", "Value replaced"


class BulkStatus(LabelledEnum):
    PREPARING = "preparing", "Preparing the preview"
    READY = "ready", "Preview ready"
    APPLYING = "applying", "In progress"
    DONE = "done", "Done"
    STOPPED = "stopped", "Stopped"
    UNDOING = "undoing", "Being undone"
    UNDONE = "undone", "Undone"
    FAILED = "failed", "Failed"


#: Statuses in which a worker has something to do.
BULK_WORKING = (BulkStatus.PREPARING.value, BulkStatus.APPLYING.value, BulkStatus.UNDOING.value)


class BulkItemStatus(LabelledEnum):
    CHOSEN = "chosen", "Chosen"
    SAME = "same", "Already has this value"
    BLOCKED = "blocked", "Cannot be changed"
    READY = "ready", "Would change"
    CHANGED = "changed", "Changed"
    LOST = "lost", "Not changed"
    UNDONE = "undone", "Undone"
    KEPT = "kept", "Not undone"


class BulkEffect(LabelledEnum):
    """What a change does to the completeness of an entry."""

    NONE = "none", "No other effect"
    COMPLETES = "completes", "Now has everything required"
    LACKS = "lacks", "Would be missing something"


class SavedFilter(Keyed, Base):
    """A filter of the list of entries that a person keeps under a name."""

    __tablename__ = "saved_filters"
    __table_args__ = (UniqueConstraint("person_id", "name"),)

    person_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"))
    name: Mapped[str]
    #: See `services.entries.listing`.
    filter: Mapped[JsonObject]
    is_default: Mapped[bool] = mapped_column(server_default=text("false"))


class BulkChange(MayFail, Queued, Keyed, Base):
    """One field of many entries set to a value, or one of its values renamed."""

    __tablename__ = "bulk_changes"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    kind: Mapped[str]
    field_name: Mapped[str]
    #: Of a rename: the value that is replaced.
    old_value: Mapped[str | None]
    #: None empties the field.
    new_value: Mapped[str | None]
    #: None where the entries were chosen one by one.
    filter: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: The school of the list that is renamed too, and whether that is done.
    school_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("schools.id", ondelete="SET NULL"))
    school_renamed: Mapped[bool] = mapped_column(server_default=text("false"))
    reason: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=text("'preparing'"))
    items_total: Mapped[int | None]
    items_done: Mapped[int] = mapped_column(server_default=text("0"))
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    undone_at: Mapped[datetime | None]
    undone_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))


class BulkChangeItem(Base):
    """What a change of many entries does to one of them."""

    __tablename__ = "bulk_change_items"
    __table_args__ = (UniqueConstraint("bulk_id", "submission_id"),)

    id: Mapped[UuidKey]
    bulk_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("bulk_changes.id", ondelete="CASCADE"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    status: Mapped[str] = mapped_column(server_default=text("'chosen'"))
    #: The entry's version in the preview.
    version: Mapped[int | None]
    before_value: Mapped[str | None]
    after_value: Mapped[str | None]
    effect: Mapped[str] = mapped_column(server_default=text("'none'"))
    #: What is required and missing with the change.
    missing: Mapped[TextList]
    #: Why it was not changed, or not undone.
    reason: Mapped[Message | None]


# Entries read anew to compare (migration 013).


class RereadStatus(LabelledEnum):
    WAITING = "waiting", "Waiting to be read"
    SAME = "same", "No differences"
    DIFFERS = "differs", "Different"
    BLOCKED = "blocked", "Cannot be compared"
    FAILED = "failed", "Could not be read"
    LEFT = "left", "Left unchanged"
    TAKING = "taking", "Being accepted"
    TAKEN = "taken", "Accepted"
    LOST = "lost", "Not accepted"
    UNDOING = "undoing", "Being undone"
    UNDONE = "undone", "Undone"
    KEPT = "kept", "Not undone"


#: Statuses in which a worker has something to do.
REREAD_WORKING = (RereadStatus.WAITING.value, RereadStatus.TAKING.value, RereadStatus.UNDOING.value)


class Reread(Keyed, Base):
    """Entries of a filter, or chosen ones, read anew at one time."""

    __tablename__ = "rereads"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    #: None where the entries were chosen one by one.
    filter: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: As those of a run.
    options: Mapped[JsonObject]
    items_total: Mapped[int] = mapped_column(server_default=text("0"))


class RereadItem(Queued, Keyed, Base):
    """One entry of these: what was read anew, and what became of it."""

    __tablename__ = "reread_items"
    __table_args__ = (UniqueConstraint("reread_id", "submission_id"),)

    reread_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("rereads.id", ondelete="CASCADE"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    status: Mapped[str] = mapped_column(server_default=text("'waiting'"))
    #: The entry's version when it was compared.
    version: Mapped[int | None]
    #: {field: [value that it has, value read anew]} of the fields that differ.
    changes: Mapped[JsonObject]
    #: Fields whose value a person gave, which stays.
    decided: Mapped[TextList]
    #: `BulkEffect`.
    effect: Mapped[str] = mapped_column(server_default=text("'none'"))
    #: What is required and missing in the new reading.
    missing: Mapped[TextList]
    #: Whether an entry that waits for nobody would wait for a person once it is taken.
    waits: Mapped[bool] = mapped_column(server_default=text("false"))
    #: The new reading, {"record": …, "report": …}, until it is decided on.
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: The run that it was taken as, and what stood before it (`services.many.reread_items`).
    run_id: Mapped[str | None]
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
    undone_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    undone_at: Mapped[datetime | None]
    #: Why it could not be read, compared, taken or taken back.
    reason: Mapped[Message | None]
