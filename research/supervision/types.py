"""The supervisor's decisions, the outcomes of attempts, and the ways in which a loop ends."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from core.labels import LabelledEnum
from core.messages import Message

IssueType = Literal[
    "underlying_theory",
    "methodological_foundation",
    "unifying_threads",
    "foundational_concepts",
    "thin_section",
    "unsupported_claim",
]
Severity = Literal["minor", "moderate", "significant"]
#: Weight of each severity; higher is more severe.
WEIGHT: dict[Severity, int] = {"minor": 1, "moderate": 2, "significant": 3}


class Issue(BaseModel):
    """One theoretical gap."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    topic: str = Field(min_length=1, max_length=200, description="The concept or topic that lacks depth.")
    section: str = Field(default="", max_length=200, description="Key of the section where the gap shows.")
    issue_type: IssueType = Field(description="Which kind of gap it is.")
    severity: Severity = Field(description="How much it takes from the document.")
    rationale: str = Field(max_length=2000, description="Why it matters, in two sentences.")
    #: Rationale of an issue found by rule; a model writes `rationale`.
    grounds: SkipJsonSchema[Message | None] = None
    suggested_queries: tuple[str, ...] = Field(default=(), max_length=5, description="What to search for.")
    foundational_concepts: tuple[str, ...] = Field(
        default=(), max_length=8, description="Concepts that should stand there."
    )
    integration_guidance: str = Field(default="", max_length=2000, description="Where and how to work it in.")

    @model_validator(mode="after")
    def _has_grounds(self) -> Self:
        if not self.rationale.strip() and self.grounds is None:
            raise ValueError("rationale must say why it matters")
        return self


class SupervisorDecision(BaseModel):
    """The result of an analysis: one issue to research, or none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: Literal["research_needed", "pass_through"]
    reasoning: str = Field(max_length=4000)
    issue: Issue | None = Field(default=None, description="Exactly when research is needed.")
    confidence: float = Field(default=0.5, ge=0.0, le=1.0)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.action == "research_needed") != (self.issue is not None):
            raise ValueError("an issue is given exactly when action is research_needed")
        return self


class Outcome(LabelledEnum):
    """The outcome of an attempt."""

    INTEGRATED = "integrated", "Integrated"
    NO_EVIDENCE = "no_evidence", "Nothing found"
    REFUSED_BY_GUARD = "refused_by_guard", "Refused by the guard"
    ALREADY_EXPLORED = "already_explored", "Already explored"
    FAILED = "failed", "Failed"


class Ended(LabelledEnum):
    """Why a loop ended; neither an error nor an analysis without a basis is an approval."""

    APPROVED = "approved", "No gap of weight was found any more: the document is approved as it stands."
    #: Nothing was examined: no source could be searched, or the document is too short.
    NOTHING_TO_COMPARE = "nothing_to_compare", "Nothing was examined, so this says nothing about the document."
    MAX_ITERATIONS = "max_iterations", "All attempts that its tier allows were made."
    CIRCUIT_BREAKER = (
        "circuit_breaker",
        "Two attempts in a row failed, so it stopped. The last good version stays.",
    )
    #: Every attempt searched for sources without success.
    NO_EVIDENCE = "no_evidence", "No source was found for any gap, so nothing was changed."
    BUDGET = "budget", "The budget was used up. What was integrated until then stays."
    CANCELLED = "cancelled", "It was cancelled. What was integrated until then stays."
    #: The analysis requested research without naming an issue, also after one repair.
    INVALID_DECISION = (
        "invalid_decision",
        "The analysis could not be used, so it stopped. The last good version stays.",
    )
    ERROR = "error", "It ended with an error. The last good version stays."
