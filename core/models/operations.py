"""Tables of running the site: what the queue did, first steps, security events."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Text, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY, DOUBLE_PRECISION, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum, Message
from core.models.base import Base, BigInt, CreatedAt, JsonObject, Keyed, MayFail, Queued, TextList

# How deep the queue was, what the reconciler found, and how work failed (migration 020).


_NUMBERS = text("'{}'::jsonb")


class QueueSample(Base):
    """The numbers of jobs and workers in one minute."""

    __tablename__ = "queue_samples"

    sampled_at: Mapped[datetime] = mapped_column(primary_key=True)
    queued: Mapped[int]
    running: Mapped[int]
    scheduled: Mapped[int]
    failed: Mapped[int]
    workers: Mapped[int]


class ReconcilerPass(Keyed, Base):
    """One pass of the reconciler that found something."""

    __tablename__ = "reconciler_passes"

    #: Rows put on the queue again, by kind of work.
    requeued: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=_NUMBERS)
    #: Rows whose checkpoints were removed, by kind of work.
    pruned: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=_NUMBERS)
    #: Essays written to the library or taken from it.
    essays: Mapped[int] = mapped_column(server_default=text("0"))
    #: Accounts that Supabase Auth was told of.
    accounts: Mapped[int] = mapped_column(server_default=text("0"))


class JobFailure(Base):
    """The last failure of a piece of work."""

    __tablename__ = "job_failures"

    #: A key of `core.work.JobKind`.
    kind: Mapped[str] = mapped_column(primary_key=True)
    #: The id of the row that was worked on.
    key: Mapped[str] = mapped_column(primary_key=True)
    failed_at: Mapped[CreatedAt]
    #: How often it has failed.
    times: Mapped[int] = mapped_column(server_default=text("1"))
    #: See `core.tracing.log.masked`.
    errors: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))


# The steps by which an installation is set up (migration 020).


class SetUpKey(LabelledEnum, places=("set_up_step",)):
    """Keys of the steps, in the order of the page."""

    SEASON = "season", "Season"
    SCHOOLS = "schools", "Schools"
    PEOPLE = "people", "People"
    MAIL = "mail", "Mail"
    MODEL = "model", "Language model"
    STORAGE = "storage", "File store"
    READING = "reading", "Reading"
    #: All steps: with this row, nobody is led through the setup any more.
    WHOLE = "whole", "Setup"


class SetUpState(LabelledEnum, places=("set_up_state",)):
    OPEN = "open", "To do"
    TRYING = "trying", "Being checked"
    DONE = "done", "Done"
    PASSED = "passed", "Skipped"


class SetUpStep(Queued, Base):
    """The outcome of a step; a step that nobody has touched has no row."""

    __tablename__ = "set_up_steps"

    #: A key of `SetUpKey`.
    step: Mapped[str] = mapped_column(primary_key=True)
    #: A key of `SetUpState`.
    state: Mapped[str]
    #: What the last try found.
    result: Mapped[Message | None]
    #: How long that took.
    seconds: Mapped[float | None] = mapped_column(DOUBLE_PRECISION)
    #: What was read of the sample.
    read_text: Mapped[str | None]
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    changed_at: Mapped[CreatedAt]


# The record of events: sign-ins, rights, exports, and who saw which entry (migration 020).


class SecurityEventKind(LabelledEnum):
    SIGN_IN = "sign_in", "Signed in"
    SIGN_IN_FAILED = "sign_in_failed", "Sign-in failed"
    LOCKED_OUT = "locked_out", "Attempts were blocked"
    SIGN_OUT = "sign_out", "Signed out"
    SESSIONS_ENDED = "sessions_ended", "Ended sessions"
    PASSWORD_CHANGED = "password_changed", "Changed the password"
    PASSWORD_RESET = "password_reset", "Set a password using a link"
    ACCOUNT_MADE = "account_made", "Created an account"
    INVITED = "invited", "Invited someone"
    INVITATION_ACCEPTED = "invitation_accepted", "Accepted an invitation"
    RESET_LINK_MADE = "reset_link_made", "Created a password reset link"
    NAME_CHANGED = "name_changed", "Changed their name"
    ROLE_CHANGED = "role_changed", "Changed a role"
    ACCOUNT_CLOSED = "account_closed", "Closed an account"
    ACCOUNT_REOPENED = "account_reopened", "Reopened an account"
    TOKEN_MADE = "token_made", "Created a token"
    TOKEN_REVOKED = "token_revoked", "Revoked a token"
    TOKEN_NARROWED = "token_narrowed", "A token lost permissions or days"
    SECOND_FACTOR_ON = "second_factor_on", "Turned two-step verification on"
    SECOND_FACTOR_OFF = "second_factor_off", "Turned two-step verification off"
    RECOVERY_CODE_USED = "recovery_code_used", "Used a recovery code"
    CODE_FAILED = "code_failed", "A code was incorrect"
    POLICY_CHANGED = "policy_changed", "Changed the rules of a season"
    SEASON_DESCRIBED = "season_described", "Changed the name or dates of a season"
    SEASON_OPENED = "season_opened", "Opened a season"
    SEASON_CLOSED = "season_closed", "Closed a season"
    FORM_SAVED = "form_saved", "Saved a form"
    FORM_RETIRED = "form_retired", "Took a form out of use"
    FORM_BROUGHT_BACK = "form_brought_back", "Put a form into use"
    SCHOOL_CHANGED = "school_changed", "Changed the list of schools"
    LETTER_TEXTS_CHANGED = "letter_texts_changed", "Changed the texts of letters"
    LIBRARY_REMOVED = "library_removed", "Removed a document from the library"
    LIBRARY_RESTORED = "library_restored", "Put a document back into the library"
    BATCH_CHANGED = "batch_changed", "Changed the data of an upload"
    SET_UP = "set_up", "Completed a setup step"
    EXPORTED = "exported", "Exported data"
    LETTERS_SENT = "letters_sent", "Wrote letters asking for missing information"
    ERASED = "erased", "Erased entries"
    SUBMISSION_VIEWED = "submission_viewed", "Viewed an entry"
    PAGES_VIEWED = "pages_viewed", "Viewed pages of an entry"
    JOBS_RETRIED = "jobs_retried", "Retried a failed job"
    JOB_CANCELLED = "job_cancelled", "Took a job off the queue"
    ORIGINAL_DOWNLOADED = "original_downloaded", "Downloaded an original file"


class SecurityEvent(Keyed, Base):
    """One event. Rows are only added; the ids refer to no table, so that the record outlives what it names."""

    __tablename__ = "security_events"

    #: A key of `SecurityEventKind`.
    kind: Mapped[str]
    #: Who did it; None for the command line and for somebody unknown.
    actor_id: Mapped[uuid.UUID | None]
    #: The account that it was done to.
    subject_id: Mapped[uuid.UUID | None]
    submission_id: Mapped[uuid.UUID | None]
    upload_id: Mapped[uuid.UUID | None]
    network: Mapped[str] = mapped_column(server_default=text("''"))
    details: Mapped[JsonObject]
    #: For events recorded once an interval: the number of the interval.
    slot: Mapped[int | None] = mapped_column(BigInteger)


# Files made of entries and of versions of reports (migration 019).


class ExportKind(LabelledEnum, places=("export_kind",)):
    """What is made of the entries."""

    ENTRIES = "entries", "Entries"
    JUDGES = "judges", "Packet for judges"
    CERTIFICATES = "certificates", "Certificates"


#: The kind of an export that is made of a version of a report; its formats are
#: `research.exports.formats.EXPORT_FORMATS`.
OF_REPORT = "report"
#: That of the document that a person made of a report's passages; its `filter` is that document when asked for.
OWN_DOCUMENT = "own"


class ExportFormat(LabelledEnum):
    CSV = "csv", "CSV"
    XLSX = "xlsx", "Excel"
    JSON_LINES = "jsonl", "JSON Lines"
    ZIP = "zip", "ZIP"


class ExportStatus(LabelledEnum, places=("export_status",)):
    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Being prepared"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"


class Export(MayFail, Queued, Keyed, Base):
    """One file that somebody asked for."""

    __tablename__ = "exports"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    kind: Mapped[str]
    format: Mapped[str]
    #: See `services.entries.listing`.
    filter: Mapped[JsonObject]
    #: See `services.exports.contents`.
    columns: Mapped[TextList]
    #: Both None for an export of entries; the version is None for an own document.
    report_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("reports.id", ondelete="CASCADE"))
    version_no: Mapped[int | None]
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    rows_total: Mapped[int | None]
    rows_done: Mapped[int] = mapped_column(server_default=text("0"))
    byte_size: Mapped[BigInt | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


# Receipts of what was erased (migration 020).


class ErasureReason(LabelledEnum, places=("erasure_reason",)):
    ASKED = "asked", "The family asked for it"
    RETENTION = "retention", "The retention period is over"
    MISTAKE = "mistake", "It was sent by mistake"


class Erasure(Keyed, Base):
    """One erasure: how much of each kind, never what. Rows are only added; triggers refuse anything else."""

    __tablename__ = "erasures"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    #: None: the command line, or the nightly purge.
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    reason: Mapped[str]
    submission_ids: Mapped[list[uuid.UUID]] = mapped_column(ARRAY(Uuid))
    #: Numbers by the keys of `services.erasure.scope.HeldKind`.
    counts: Mapped[dict[str, int]] = mapped_column(JSONB)
    #: Paths of watched folders that could not be searched.
    not_reached: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
