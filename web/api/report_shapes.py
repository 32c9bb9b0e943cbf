"""Shapes of reports and their supervision in the API."""

from __future__ import annotations

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from flask import url_for
from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, computed_field

from core.models import ExportStatus, ReportStatus, RevisionStatus, SupervisionStatus, TaskStatus
from research.document import ReportDocument
from research.memo import GapState
from research.questions.catalog_fields import MAX_FIELDS
from research.supervision.types import AttemptOutcome, Ended, IssueSeverity, IssueType
from services.reports.request import LONGEST_QUERY, LONGEST_QUESTION, MOST_ITEMS, MOST_QUESTIONS
from services.supervision.documents import LONGEST_EDIT, LONGEST_SHOWN
from web.api.batches import SentFile
from web.api.entry_shapes import MessageShape
from web.api.protocol import ListPage, PageQuery, Reason, RequestModel, ResponseModel, ShortText, Version

ReportKind = Literal["narrative", "catalog"]
TierName = Literal["quick", "standard", "comprehensive", "high_quality"]
ResearcherKind = Literal["web", "academic", "book"]
ReportLanguage = Literal["en", "es"]
Question = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", min_length=1, max_length=LONGEST_QUERY)]
PlannedQuestion = Annotated[
    str, StringConstraints(pattern=r"^[^\x00]*$", min_length=1, max_length=LONGEST_QUESTION)
]
Allocation = Annotated[
    str,
    StringConstraints(pattern=r"^[0-3]([0-3]{2})?$"),
    Field(description="Researchers of a round: web, academic, book; together 1 to 3. One digit: web alone."),
]
Limit = Annotated[float, Field(ge=0, le=1_000_000_000)]


class ReportQuery(PageQuery):
    """Filters of the list of reports."""

    status: ReportStatus | None = None
    report_type: ReportKind | None = None
    tier: TierName | None = None
    mine: bool = Field(False, description="Only what the token's person asked for.")
    q: ShortText | None = Field(None, description="Part of the question or of the title.")


class ReportLine(ResponseModel):
    """One line of the list."""

    id: uuid.UUID
    status: ReportStatus
    phase: str
    query: str
    title: str
    report_type: ReportKind
    target_items: int | None
    tier: TierName
    language: ReportLanguage
    is_sample: bool
    asked_by: str
    cost_usd: Decimal
    versions: int
    created_at: datetime


class ReportList(ListPage[ReportLine]):
    """The season's reports, newest first."""


class ReportBudget(RequestModel):
    """Limits of a report; omitted resources are not limited."""

    minutes: Limit | None = None
    calls: Limit | None = None
    tokens: Limit | None = None
    usd: Limit | None = None


class NewReport(RequestModel):
    """Request for a report; omitted values are detected from the query."""

    query: Question
    report_type: ReportKind | None = None
    target_items: int | None = Field(None, ge=1, le=MOST_ITEMS)
    fields: list[ShortText] = Field(
        default=[],
        max_length=MAX_FIELDS,
        description="Of a catalog's items: keys, labels or any text. None: by the query.",
    )
    tier: TierName = "standard"
    language: ReportLanguage | None = None
    kinds: list[ResearcherKind] = Field(default=["web", "academic", "book"], min_length=1, max_length=10)
    providers: list[ShortText] = Field(default=[], max_length=20, description="None: every one that is on.")
    allocation: Allocation | None = Field(None, description="None: chosen by the topic.")
    domains_allowed: list[ShortText] = Field(default=[], max_length=50)
    domains_denied: list[ShortText] = Field(default=[], max_length=50)
    approve_plan: bool = Field(False, description="Nothing is fetched before a person has approved the plan.")
    supervise: bool | None = Field(
        None,
        description="Deepened once it is written, each revision waiting for a person. None: where the tier is "
        "comprehensive or high_quality.",
    )
    budget: ReportBudget = ReportBudget()


class SpentShape(ResponseModel):
    """The use of one resource of the budget."""

    name: Literal["minutes", "calls", "tokens", "usd"]
    spent: float
    limit: float | None


class ReportPlan(ResponseModel):
    """The present plan."""

    questions: list[str]
    angles: list[str] = Field(default=[])
    reasoning: str = ""


class ReportVersionShape(ResponseModel):
    """One version of the report."""

    version_no: int
    origin: str
    made_by: str | None
    note: str
    created_at: datetime


class ReportShape(ResponseModel):
    """One report: its request, its status and the addresses of its files."""

    id: uuid.UUID
    version: int
    status: ReportStatus
    phase: str
    ended_because: str | None
    error_code: str | None
    error_message: str | None = Field(description="The sentence of `error_code`.")
    query: str
    title: str
    report_type: ReportKind
    type_chosen: bool
    target_items: int | None
    fields: list[str]
    tier: TierName
    language: ReportLanguage
    kinds: list[str]
    providers: list[str]
    domains_allowed: list[str]
    domains_denied: list[str]
    allocation_user: str | None
    allocation_model: str | None
    allocation_effective: str | None
    allocation_approved: str | None
    allocation_notes: list[MessageShape] = Field(
        description="Who decided how many researchers work, and what was changed for want of sources."
    )
    allocation_reasoning: str = Field(description="Why the model chose these researchers, in its words.")
    approve_plan: bool
    supervise: bool = Field(description="Whether it is deepened once it is written.")
    plan: ReportPlan | None
    plan_approved_by: str | None
    plan_approved_at: datetime | None
    budget: list[SpentShape]
    cancel_requested_by: str | None
    cancel_requested_at: datetime | None
    asked_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    versions: list[ReportVersionShape]
    exports: dict[str, str] = Field(description="Addresses of the latest version by format; none before it.")


class PlanGiven(RequestModel):
    """Changes to the plan on approval; omitted values are kept."""

    version: Version | None = None
    questions: list[PlannedQuestion] | None = Field(None, min_length=1, max_length=MOST_QUESTIONS)
    allocation: Allocation | None = None


class TaskShape(ResponseModel):
    """One question assigned to one researcher."""

    task_id: str
    kind: ResearcherKind
    question: str
    queries: list[str]
    status: TaskStatus
    error_code: str | None
    gap_id: str | None
    sources_read: int
    sources_failed: int


class RoundShape(ResponseModel):
    """One of the three rounds; `memo` is its result for the next round."""

    round_index: int
    started_at: datetime
    ended_at: datetime | None
    skipped_because: str | None
    tasks: list[TaskShape]
    memo: dict[str, Any] | None


class GapShape(ResponseModel):
    """A gap of knowledge that the research should close, and the evidence that closed it."""

    gap_id: str
    gap_type: str
    description: str = Field(description="In the words of the model that found it; empty for rules.")
    message: MessageShape | None = Field(description="What is missing; null where the description says it.")
    priority: int
    candidate_name: str | None
    missing_fields: list[str]
    state: GapState
    evidence: list[str]
    opened_round: int
    closed_round: int | None


class ReportSourceShape(ResponseModel):
    """A source that was read, or that could not be read."""

    key: str
    kind: str
    provider: str
    title: str
    authors: list[str]
    year: int | None
    publisher: str | None
    url: str | None
    domain: str
    status: Literal["read", "failed"]
    error_code: str | None
    char_count: int
    round_index: int
    retrieved_at: datetime


class ProgressShape(ResponseModel):
    """The progress of a report."""

    working: bool = Field(description="Whether something may still change by itself.")
    tasks_done: int
    tasks_total: int
    domains: int = Field(description="Independent publishers or sites among what was read.")
    rounds: list[RoundShape]
    gaps: list[GapShape]
    sources: list[ReportSourceShape]


class ReportFile(ResponseModel):
    """A file that is being made: ask for it again, at `file`, after the seconds in the header Retry-After."""

    report_id: uuid.UUID
    status: ExportStatus
    format: str
    version_no: int
    filename: str

    @computed_field(description="Where the file is once it is done.")  # type: ignore[prop-decorator]
    @property
    def file(self) -> str:
        """The address."""
        return url_for("api.export_report", report_id=self.report_id, format=self.format, version=self.version_no)


class ExportQuery(RequestModel):
    """The version and format to fetch."""

    format: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,20}$")] = Field(
        "markdown", description="One of the keys of the report's `exports`."
    )
    version: int | None = Field(None, ge=1, lt=2**31, description="None: the latest version.")


# Models of supervisions, revisions and versions in requests and answers.


Mode = Literal["supervised", "automatic"]


def _no_longer(text: str) -> str:
    if len(text) > LONGEST_EDIT:
        raise ValueError(f"at most {LONGEST_EDIT} characters")
    return text


Markdown = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), AfterValidator(_no_longer)]


class NewSupervision(RequestModel):
    """Request for a supervision: its tier, mode and budget."""

    tier: TierName = Field(
        "standard", description="Attempts: quick 1, standard 2, comprehensive 3, high_quality 5."
    )
    mode: Mode = Field("supervised", description="`automatic`: each revision becomes a version at once.")
    budget: ReportBudget = ReportBudget()


class NewDocument(RequestModel):
    """An uploaded document: Markdown, Word, or PDF with text."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    file: list[SentFile] = Field(min_length=1, max_length=1)
    library_only: bool = Field(False, description="Nothing is asked of any provider but the library.")


class BroughtShape(ResponseModel):
    """A source that an attempt added."""

    key: str
    title: str


class IssueShape(ResponseModel):
    """A gap in a document's theory."""

    topic: str
    section: str
    issue_type: IssueType
    severity: IssueSeverity
    rationale: str = Field(description="Why it matters, in the words of the model that found it.")
    suggested_queries: list[str]
    foundational_concepts: list[str]
    integration_guidance: str


class AttemptShape(ResponseModel):
    """One attempt at one gap, and its result."""

    revision_id: uuid.UUID
    iteration: int
    issue: IssueShape | None = Field(description="null: the analysis itself failed.")
    outcome: AttemptOutcome
    reasons: list[MessageShape] = Field(description="Why nothing came of it.")
    sources: list[BroughtShape]
    base_version: int
    status: RevisionStatus
    made_version: int | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    reasoning: str = Field(description="Why this gap, in the words of the model that named it; empty for rules.")
    confidence: float | None
    spent: list[SpentShape]
    created_at: datetime


class SupervisionLineShape(ResponseModel):
    """One supervision of a report."""

    id: uuid.UUID
    report_id: uuid.UUID
    mode: Mode
    tier: TierName
    status: SupervisionStatus
    phase: str
    iterations: int
    integrations: int
    ended_because: Ended | None
    ended_note: MessageShape | None = Field(description="What the end rests on.")
    reasoning: str = Field(description="Why it stopped, in the words of the model that decided; empty for rules.")
    confidence: float | None
    error_code: str | None
    first_version: int
    last_version: int
    requested_by: str
    created_at: datetime
    finished_at: datetime | None
    cancel_requested_by: str | None
    waiting: uuid.UUID | None = Field(description="The revision that waits for a person.")
    working: bool = Field(description="Whether something may still change by itself.")


class SupervisionLines(ResponseModel):
    """The supervisions of a report, newest first."""

    rows: list[SupervisionLineShape]


class SupervisionShape(SupervisionLineShape):
    """One supervision with its attempts in order."""

    budget: list[SpentShape]
    attempts: list[AttemptShape]


class RevisionLine(ResponseModel):
    """One line of the queue of revisions."""

    id: uuid.UUID
    created_at: datetime
    report_id: uuid.UUID
    supervision_id: uuid.UUID
    iteration: int
    report_title: str
    issue: IssueShape | None
    sources: int
    held_by: str | None = Field(description="Who has it open.")
    held_until: datetime | None


class RevisionList(ListPage[RevisionLine]):
    """Revisions that wait for a person, oldest first."""


class RevisionShape(ResponseModel):
    """One revision: the document before it, as it was proposed, and as a person changed it."""

    id: uuid.UUID
    version: int
    status: RevisionStatus
    outcome: AttemptOutcome
    reasons: list[MessageShape] = Field(description="Why nothing came of it.")
    report_id: uuid.UUID
    report_title: str
    supervision_id: uuid.UUID
    iteration: int
    issue: IssueShape | None
    base_version: int
    before: ReportDocument
    proposed: ReportDocument | None
    edited: ReportDocument | None
    editable: str | None = Field(
        description=f"The proposal as Markdown, to be changed and sent back; null if longer than {LONGEST_SHOWN}."
    )
    sources: list[BroughtShape]
    made_version: int | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    spent: list[SpentShape]
    created_at: datetime
    held_by: str | None
    held_until: datetime | None


class RevisionDecision(RequestModel):
    """A decision on a revision."""

    version: Version | None = None
    decided: Literal["accepted", "edited", "rejected"]
    edited_markdown: Markdown | None = Field(
        None, description=f"The whole document, with `edited` alone. At most {LONGEST_EDIT} characters."
    )
    reason: Reason | None = None


class VersionShape(ResponseModel):
    """One version of a report in full."""

    version_no: int
    document: ReportDocument
