"""Tables of reports and their supervision."""

from __future__ import annotations

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ForeignKey, ForeignKeyConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum, Message
from core.models.base import Base, CreatedAt, JsonObject, Keyed, Messages, Queued, Real, TextList


class ReportStatus(LabelledEnum, places=("report_status",)):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "In progress"
    AWAITING_PLAN = "awaiting_plan", "Plan needs your approval"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Canceled"


#: Statuses of a report that has not ended.
OPEN_REPORTS = (ReportStatus.QUEUED.value, ReportStatus.RUNNING.value, ReportStatus.AWAITING_PLAN.value)


class TaskStatus(LabelledEnum):
    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Searching"
    DONE = "done", "Done"
    NOTHING_FOUND = "nothing_found", "Nothing found"
    FAILED = "failed", "Failed"


class Report(Queued, Keyed, Base):
    """The request for a report and its status; the text is in its versions."""

    __tablename__ = "reports"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    origin: Mapped[str] = mapped_column(server_default=text("'asked'"))
    query: Mapped[str]
    title: Mapped[str] = mapped_column(server_default=text("''"))
    report_type: Mapped[str] = mapped_column(server_default=text("'narrative'"))
    type_chosen: Mapped[bool] = mapped_column(server_default=text("false"))
    target_items: Mapped[int | None]
    #: Of a catalog: keys of known fields, else the text as typed, without the name.
    fields: Mapped[TextList]
    language: Mapped[str] = mapped_column(server_default=text("'en'"))
    tier: Mapped[str] = mapped_column(server_default=text("'standard'"))
    kinds: Mapped[TextList]
    providers: Mapped[TextList]
    domains_allowed: Mapped[TextList]
    domains_denied: Mapped[TextList]
    #: The allocation of researchers: what user, model and rules each asked for, the result, "notes" (messages).
    allocation: Mapped[JsonObject]
    #: Free text of the model that chose the researchers.
    allocation_reasoning: Mapped[str] = mapped_column(server_default=text("''"))
    approve_plan: Mapped[bool] = mapped_column(server_default=text("false"))
    #: Whether a supervision starts when the report is written.
    supervise: Mapped[bool] = mapped_column(server_default=text("false"))
    plan: Mapped[dict[str, Any] | None]
    plan_approved_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    plan_approved_at: Mapped[datetime | None]
    plan_resumed_at: Mapped[datetime | None]
    budget: Mapped[JsonObject]
    spent: Mapped[JsonObject]
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    phase: Mapped[str] = mapped_column(server_default=text("'planning'"))
    ended_because: Mapped[str | None]
    error_code: Mapped[str | None]
    cancel_requested_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    cancel_requested_at: Mapped[datetime | None]
    current_version: Mapped[int | None]
    is_sample: Mapped[bool] = mapped_column(server_default=text("false"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    pruned_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    updated_at: Mapped[CreatedAt]


def _report_key() -> Mapped[uuid.UUID]:
    return mapped_column(ForeignKey("reports.id", ondelete="CASCADE"), primary_key=True)


class ReportRound(Base):
    """One of the three rounds, with the memo that it produced."""

    __tablename__ = "report_rounds"

    report_id: Mapped[uuid.UUID] = _report_key()
    round_index: Mapped[int] = mapped_column(primary_key=True)
    memo: Mapped[dict[str, Any] | None]
    skipped_because: Mapped[str | None]
    started_at: Mapped[CreatedAt]
    ended_at: Mapped[datetime | None]


class ReportTask(Base):
    """One question given to one researcher."""

    __tablename__ = "report_tasks"

    report_id: Mapped[uuid.UUID] = _report_key()
    task_id: Mapped[str] = mapped_column(primary_key=True)
    round_index: Mapped[int]
    kind: Mapped[str]
    question: Mapped[str]
    brief: Mapped[JsonObject]
    queries: Mapped[TextList]
    gap_id: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    error_code: Mapped[str | None]
    result: Mapped[dict[str, Any] | None]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]


class ReportGap(Base):
    """A gap in what is known, and what closed it."""

    __tablename__ = "report_gaps"

    report_id: Mapped[uuid.UUID] = _report_key()
    gap_id: Mapped[str] = mapped_column(primary_key=True)
    gap_type: Mapped[str]
    #: Free text of a model; "" for a gap that a rule found.
    description: Mapped[str]
    priority: Mapped[int]
    candidate_name: Mapped[str | None]
    missing_fields: Mapped[TextList]
    missing_topic: Mapped[str | None]
    suggested_query: Mapped[str | None]
    state: Mapped[str] = mapped_column(server_default=text("'open'"))
    evidence: Mapped[TextList]
    opened_round: Mapped[int]
    closed_round: Mapped[int | None]
    #: For gaps in the number of candidates or publishers: how many there are, and how many there should be.
    have: Mapped[int | None]
    wanted: Mapped[int | None]


class ReportSource(Base):
    """A source that was read, or the record of one that could not be."""

    __tablename__ = "report_sources"

    report_id: Mapped[uuid.UUID] = _report_key()
    key: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    provider: Mapped[str]
    title: Mapped[str] = mapped_column(server_default=text("''"))
    authors: Mapped[TextList]
    year: Mapped[int | None]
    publisher: Mapped[str | None]
    url: Mapped[str | None]
    canonical_url: Mapped[str | None]
    domain: Mapped[str] = mapped_column(server_default=text("''"))
    doi: Mapped[str | None]
    isbn: Mapped[str | None]
    language: Mapped[str | None]
    library_document_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("library_documents.id", ondelete="SET NULL")
    )
    status: Mapped[str]
    error_code: Mapped[str | None]
    char_count: Mapped[int] = mapped_column(server_default=text("0"))
    round_index: Mapped[int]
    task_id: Mapped[str | None]
    retrieved_at: Mapped[CreatedAt]


class ReportPassage(Base):
    """A section of a source's text; all passages in order make up the whole text."""

    __tablename__ = "report_passages"
    __table_args__ = (
        ForeignKeyConstraint(
            ["report_id", "source_key"],
            ["report_sources.report_id", "report_sources.key"],
            ondelete="CASCADE",
            onupdate="CASCADE",
        ),
    )

    report_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    source_key: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    page_no: Mapped[int | None]
    start_char: Mapped[int]
    end_char: Mapped[int]
    text: Mapped[str]


class ReportClaim(Base):
    """A sentence with the quotation that supports it, and where that was found."""

    __tablename__ = "report_claims"

    report_id: Mapped[uuid.UUID] = _report_key()
    claim_id: Mapped[str] = mapped_column(primary_key=True)
    sentence: Mapped[str]
    quote: Mapped[str]
    claimed_source_key: Mapped[str | None]
    source_key: Mapped[str | None]
    start_char: Mapped[int | None]
    end_char: Mapped[int | None]
    page_no: Mapped[int | None]
    #: "verified", "misattributed" or "fabricated".
    status: Mapped[str]
    #: Result of the third round: "confirmed", "contradicted", "not_found"; None if it was not examined there.
    verification: Mapped[str | None]
    round_index: Mapped[int | None]
    created_at: Mapped[CreatedAt]


class ReportExcerpt(Base):
    """A passage that a person copied into their own document."""

    __tablename__ = "report_excerpts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["report_id", "claim_id"], ["report_claims.report_id", "report_claims.claim_id"], ondelete="CASCADE"
        ),
    )

    report_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    person_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True)
    claim_id: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    note: Mapped[str] = mapped_column(server_default=text("''"))
    created_at: Mapped[CreatedAt]


class ReportCall(Base):
    """A model's reply, stored so that the question is not sent again."""

    __tablename__ = "report_calls"

    report_id: Mapped[uuid.UUID] = _report_key()
    call_key: Mapped[str] = mapped_column(primary_key=True)
    purpose: Mapped[str]
    reply: Mapped[Any] = mapped_column(JSONB)
    error_code: Mapped[str | None]
    provider: Mapped[str]
    model: Mapped[str]
    requests: Mapped[int] = mapped_column(server_default=text("1"))
    tokens_in: Mapped[int] = mapped_column(server_default=text("0"))
    tokens_out: Mapped[int] = mapped_column(server_default=text("0"))
    cost_usd: Mapped[Decimal] = mapped_column(server_default=text("0"))
    created_at: Mapped[CreatedAt]


class ReportVersion(Base):
    """The report at one time; versions are immutable."""

    __tablename__ = "report_versions"

    report_id: Mapped[uuid.UUID] = _report_key()
    version_no: Mapped[int] = mapped_column(primary_key=True)
    document: Mapped[dict[str, Any]]
    origin: Mapped[str]
    made_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    note: Mapped[str] = mapped_column(server_default=text("''"))
    created_at: Mapped[CreatedAt]


# Supervisions (loops that improve a report) and their revisions (migration 018).


class SupervisionStatus(LabelledEnum, places=("supervision_status",)):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "In progress"
    AWAITING_DECISION = "awaiting_decision", "A revision needs your decision"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Canceled"


#: Statuses of a supervision that has not ended.
OPEN_SUPERVISIONS = (
    SupervisionStatus.QUEUED.value,
    SupervisionStatus.RUNNING.value,
    SupervisionStatus.AWAITING_DECISION.value,
)


class RevisionStatus(LabelledEnum, places=("revision_status",)):
    """Statuses of a revision. `none`: nothing was produced; `withdrawn`: its supervision ended first."""

    NONE = "none", "No revision"
    PENDING = "pending", "Waiting for a decision"
    ACCEPTED = "accepted", "Accepted"
    EDITED = "edited", "Edited and accepted"
    REJECTED = "rejected", "Rejected"
    APPLIED = "applied", "Applied automatically"
    WITHDRAWN = "withdrawn", "Withdrawn: the supervision ended before a decision"


class ReportSupervision(Queued, Keyed, Base):
    __tablename__ = "report_supervisions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["report_id", "first_version"], ["report_versions.report_id", "report_versions.version_no"]
        ),
        ForeignKeyConstraint(
            ["report_id", "last_version"], ["report_versions.report_id", "report_versions.version_no"]
        ),
    )

    report_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("reports.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    mode: Mapped[str] = mapped_column(server_default=text("'supervised'"))
    tier: Mapped[str] = mapped_column(server_default=text("'standard'"))
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    first_version: Mapped[int]
    last_version: Mapped[int]
    phase: Mapped[str] = mapped_column(server_default=text("''"))
    iterations: Mapped[int] = mapped_column(server_default=text("0"))
    integrations: Mapped[int] = mapped_column(server_default=text("0"))
    ended_because: Mapped[str | None]
    ended_note: Mapped[Message | None]
    #: Free text of the analyst (a model) on the decision to end.
    reasoning: Mapped[str] = mapped_column(server_default=text("''"))
    confidence: Mapped[Real | None]
    error_code: Mapped[str | None]
    budget: Mapped[JsonObject]
    spent: Mapped[JsonObject]
    cancel_requested_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    cancel_requested_at: Mapped[datetime | None]
    pruned_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    updated_at: Mapped[CreatedAt]


class ReportRevision(Keyed, Base):
    """One attempt at one gap: the issue, the outcome and a person's decision."""

    __tablename__ = "report_revisions"

    supervision_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("report_supervisions.id", ondelete="CASCADE"))
    report_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("reports.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    iteration: Mapped[int]
    issue: Mapped[dict[str, Any] | None]
    outcome: Mapped[str]
    #: Why the attempt produced no revision: what the guard rejected, or the error.
    reasons: Mapped[Messages]
    #: Free text of the analyst (a model) on the decision to make the attempt.
    reasoning: Mapped[str] = mapped_column(server_default=text("''"))
    confidence: Mapped[Real | None]
    source_keys: Mapped[TextList]
    base_version: Mapped[int]
    document: Mapped[dict[str, Any] | None]
    claims: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    status: Mapped[str] = mapped_column(server_default=text("'none'"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
    reason: Mapped[str | None]
    edited_document: Mapped[dict[str, Any] | None]
    made_version: Mapped[int | None]
    resumed_at: Mapped[datetime | None]
    claimed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    claimed_until: Mapped[datetime | None]
    spent: Mapped[JsonObject]
