"""Models of supervisions, revisions and versions in requests and answers."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from core.models import RevisionStatus, SupervisionStatus
from research.document import ReportDocument
from research.supervision.types import Ended, IssueType, Outcome, Severity
from services.supervision.edited_document import LONGEST_EDIT, LONGEST_SHOWN
from web.api.batches import SentFile
from web.api.protocol.wire import Given, ListPage, Reason, Shown, Version
from web.api.shapes.message_shape import MessageShape
from web.api.shapes.report_shapes import ReportBudget, SpentShape, TierName

Mode = Literal["supervised", "automatic"]


def _no_longer(text: str) -> str:
    if len(text) > LONGEST_EDIT:
        raise ValueError(f"at most {LONGEST_EDIT} characters")
    return text


Markdown = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), AfterValidator(_no_longer)]


class NewSupervision(Given):
    """Request for a supervision: its tier, mode and budget."""

    tier: TierName = Field(
        "standard", description="Attempts: quick 1, standard 2, comprehensive 3, high_quality 5."
    )
    mode: Mode = Field("supervised", description="`automatic`: each revision becomes a version at once.")
    budget: ReportBudget = ReportBudget()


class NewDocument(Given):
    """An uploaded document: Markdown, Word, or PDF with text."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    file: list[SentFile] = Field(min_length=1, max_length=1)
    library_only: bool = Field(False, description="Nothing is asked of any provider but the library.")


class BroughtShape(Shown):
    """A source that an attempt added."""

    key: str
    title: str


class IssueShape(Shown):
    """A gap in a document's theory."""

    topic: str
    section: str
    issue_type: IssueType
    severity: Severity
    rationale: str = Field(description="Why it matters, in the words of the model that found it; empty for rules.")
    grounds: MessageShape | None = Field(description="Why it matters, where a rule found it.")
    suggested_queries: list[str]
    foundational_concepts: list[str]
    integration_guidance: str


class AttemptShape(Shown):
    """One attempt at one gap, and its result."""

    revision_id: uuid.UUID
    iteration: int
    issue: IssueShape | None = Field(description="null: the analysis itself failed.")
    outcome: Outcome
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


class SupervisionLineShape(Shown):
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


class SupervisionLines(Shown):
    """The supervisions of a report, newest first."""

    rows: list[SupervisionLineShape]


class SupervisionShape(SupervisionLineShape):
    """One supervision with its attempts in order."""

    budget: list[SpentShape]
    attempts: list[AttemptShape]


class RevisionLine(Shown):
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


class RevisionShape(Shown):
    """One revision: the document before it, as it was proposed, and as a person changed it."""

    id: uuid.UUID
    version: int
    status: RevisionStatus
    outcome: Outcome
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


class RevisionDecision(Given):
    """A decision on a revision."""

    version: Version | None = None
    decided: Literal["accepted", "edited", "rejected"]
    edited_markdown: Markdown | None = Field(
        None, description=f"The whole document, with `edited` alone. At most {LONGEST_EDIT} characters."
    )
    reason: Reason | None = None


class VersionShape(Shown):
    """One version of a report in full."""

    version_no: int
    document: ReportDocument
