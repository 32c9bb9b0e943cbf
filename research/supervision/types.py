"""What the steps of a supervision exchange: tiers, issues, decisions, ends, with codes and labels."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field
from rapidfuzz import fuzz

from core.errors import AppError, InvalidInputError
from core.messages import LabelledEnum, Message, MessageCode
from research.config import ResearchCode, Tier
from research.document import CheckedClaim, ReportDocument
from research.memo import Finding
from research.readers.protocol import SourceText
from research.text.language import fold_accents

Mode = Literal["automatic", "supervised"]
Depth = Literal["quick", "standard", "comprehensive"]
#: Least `rapidfuzz.fuzz.token_sort_ratio` (0 to 100) of equal topics.
_ALIKE = 88
_WORD = re.compile(r"\w+")


class IssueType(LabelledEnum):
    """What is missing."""

    UNDERLYING_THEORY = "underlying_theory", "Underlying theory"
    METHODOLOGICAL_FOUNDATION = "methodological_foundation", "Methodological foundation"
    UNIFYING_THREADS = "unifying_threads", "Unifying threads"
    FOUNDATIONAL_CONCEPTS = "foundational_concepts", "Foundational concepts"
    THIN_SECTION = "thin_section", "Thin section"
    UNSUPPORTED_CLAIM = "unsupported_claim", "Unsupported claim"


class IssueSeverity(LabelledEnum):
    """How much an issue weighs."""

    MINOR = "minor", "minor"
    MODERATE = "moderate", "moderate"
    SIGNIFICANT = "significant", "significant"

    @property
    def weight(self) -> int:
        """A number that is higher if it is more severe."""
        return list(IssueSeverity).index(self)


class Issue(BaseModel):
    """One gap of a document."""

    model_config = ConfigDict(frozen=True)

    #: The concept or subject that lacks depth.
    topic: str = Field(min_length=1, max_length=200)
    #: Key of the section with the gap; "" for none.
    section: str = Field(default="", max_length=200)
    issue_type: IssueType
    severity: IssueSeverity
    #: Why it matters, in the words of a model.
    rationale: str = Field(default="", max_length=2000)
    suggested_queries: tuple[str, ...] = Field(default=(), max_length=5)
    #: Concepts that the section should name.
    foundational_concepts: tuple[str, ...] = Field(default=(), max_length=8)
    #: Where and how to work it in.
    integration_guidance: str = Field(default="", max_length=2000)


@dataclass(frozen=True)
class SupervisorDecision:
    """The result of an analysis: one issue to research; None if the document passes."""

    issue: Issue | None = None
    #: In the words of a model; "" and None without one.
    reasoning: str = ""
    confidence: float | None = None
    #: Without an issue: whether the document was examined, and the basis or why it was not.
    examined: bool = True
    note: Message | None = None


class InvalidDecisionError(AppError):
    """The reply of the analysis could not be used, also after one repair."""

    code: ClassVar[MessageCode] = ResearchCode.INVALID_DECISION


@dataclass(frozen=True)
class Expansion:
    """The result of a focused research; empty if nothing was found."""

    findings: tuple[Finding, ...] = ()
    #: The findings' sources by citation key; the document may already cite them.
    sources: dict[str, SourceText] = field(default_factory=dict)


@dataclass(frozen=True)
class Integration:
    """A revised document, and the checked claims for its new text."""

    document: ReportDocument
    claims: tuple[CheckedClaim, ...] = ()


def explored_key(issue: Issue) -> str:
    """Return the record of an explored issue: its folded topic and queries, one per line."""
    folded = (fold_accents(text.casefold()) for text in (issue.topic, *issue.suggested_queries))
    return "\n".join(filter(None, (" ".join(_WORD.findall(text)) for text in folded)))


def was_explored(issue: Issue, explored: Iterable[str]) -> bool:
    """Return whether an earlier issue has the same topic, or had all of its queries; decided without a model."""
    topic, *queries = explored_key(issue).split("\n")
    return any(
        fuzz.token_sort_ratio(topic, before[0]) >= _ALIKE or (queries and set(queries) <= set(before[1:]))
        for before in (key.split("\n") for key in explored)
    )


@dataclass(frozen=True, slots=True)
class SupervisionTier:
    """The limits of one loop."""

    #: Most attempts, including failed and skipped ones.
    max_iterations: int
    #: Depth of a focused research.
    depth: Depth
    #: Least severity of issues that are researched.
    least_severity: IssueSeverity


#: Most tries at an integration that the guard refuses, and number of consecutive failures that ends a loop.
INTEGRATION_TRIES, BREAKER = 3, 2
TIERS: dict[Tier, SupervisionTier] = {
    "quick": SupervisionTier(1, "quick", IssueSeverity.MODERATE),
    "standard": SupervisionTier(2, "standard", IssueSeverity.MODERATE),
    "comprehensive": SupervisionTier(3, "standard", IssueSeverity.MINOR),
    "high_quality": SupervisionTier(5, "comprehensive", IssueSeverity.MINOR),
}


def tier_of(name: str) -> SupervisionTier:
    """Return the tier with this name. Raises InvalidInputError, naming the choices."""
    tier = next((tier for known, tier in TIERS.items() if known == name), None)
    if tier is None:
        raise InvalidInputError(ResearchCode.TIER_UNKNOWN, given=name, known=list(TIERS))
    return tier


class AttemptOutcome(LabelledEnum):
    """The outcome of an attempt."""

    INTEGRATED = "integrated", "Integrated"
    NO_EVIDENCE = "no_evidence", "Nothing found"
    REFUSED_BY_GUARD = "refused_by_guard", "Stopped by the safety check"
    ALREADY_EXPLORED = "already_explored", "Already explored"
    FAILED = "failed", "Failed"

    @property
    def is_failure(self) -> bool:
        """Whether it counts for the breaker."""
        return self in (AttemptOutcome.FAILED, AttemptOutcome.REFUSED_BY_GUARD)


class Ended(LabelledEnum):
    """Why a loop ended; neither an error nor an analysis without a basis is an approval."""

    APPROVED = "approved", "No important gap is left: the document is approved as it is."
    #: The document was not examined: no source could be searched, or it is too short.
    NOTHING_TO_COMPARE = (
        "nothing_to_compare",
        "Nothing was examined, so this says nothing about the document's quality.",
    )
    MAX_ITERATIONS = "max_iterations", "All attempts allowed at this level were made."
    CIRCUIT_BREAKER = (
        "circuit_breaker",
        "Two attempts in a row failed, so it stopped. The last good version is kept.",
    )
    #: Every attempt searched for sources without success.
    NO_EVIDENCE = "no_evidence", "No source was found for any gap, so nothing was changed."
    BUDGET = "budget", "The budget was used up. Changes made so far are kept."
    CANCELLED = "cancelled", "It was canceled. Changes made so far are kept."
    #: The reply of the analysis could not be used, also after one repair.
    INVALID_DECISION = (
        "invalid_decision",
        "The analysis could not be used, so it stopped. The last good version is kept.",
    )
    ERROR = "error", "It ended with an error. The last good version is kept."


# Message codes of the loop, and keys stored in rows of supervisions, each with its label for display.


class ExaminedCode(MessageCode):
    """The basis of an analysis that found no gap, or why it had none."""

    MODEL_WANTED = (
        "model_wanted",
        "A language model looks for gaps, and none is set up. Set one up, then start again.",
    )
    DOCUMENT_TOO_SHORT = (
        "document_too_short",
        "No section of the document has %(least)s words or more, so there was nothing to examine. "
        "Add text, then start again.",
    )
    LIBRARY_EMPTY = (
        "library_empty",
        "The library is empty, so there was no source to compare the document with. Add sources to the library, "
        "then start again.",
    )
    LIBRARY_BEING_READ = (
        "library_being_read",
        "The library is still being read (documents left: %(waiting)s), so there were no sources to compare the "
        "document with. Wait until they are ready, then start again.",
    )


class RefusalCode(MessageCode):
    """Reasons for which the guard refuses a revised document."""

    CITATIONS_LOST = "citations_lost", "These citations would be lost: %(keys)s."
    CITATIONS_UNKNOWN = "citations_unknown", "These citations do not match any source: %(keys)s."
    SECTIONS_LOST = "sections_lost", "These sections would be gone or empty: %(headings)s."
    REFERENCES_LOST = "references_lost", "These references would be lost: %(keys)s."
    REFERENCES_MISSING = ("references_missing", "These cited sources are missing from the references: %(keys)s.")
    TEXT_SHRUNK = (
        "text_shrunk",
        "The text would shrink from %(was)s to %(now)s characters; at least %(least)s %% must stay.",
    )
    NOTHING_NEW = "nothing_new", "None of the sources that were found is cited for something new."


class SupervisionPhase(LabelledEnum):
    """The current phase of a supervision."""

    ANALYZE_REVIEW = "analyze_review", "Looking for the most important gap"
    EXPAND_TOPIC = "expand_topic", "Researching the gap"
    INTEGRATE_CONTENT = "integrate_content", "Adding the findings to the document"
    AWAIT_DECISION = "await_decision", "Waiting for a decision"
    SETTLE_ATTEMPT = "settle_attempt", "Recording the result"
    FINALIZE = "finalize", "Finishing"


class ModeLabel(LabelledEnum):
    """Modes of deciding revisions."""

    SUPERVISED = "supervised", "Supervised"
    AUTOMATIC = "automatic", "Automatic"


class NoRevisionReason(LabelledEnum):
    """Outcomes of an attempt without a revision, as sentences."""

    NO_EVIDENCE = "no_evidence", "No source was found, so nothing was changed."
    REFUSED_BY_GUARD = (
        "refused_by_guard",
        "The text written for it was not accepted; the document was not changed:",
    )
    ALREADY_EXPLORED = ("already_explored", "This gap had already been researched; it was not researched again.")
    FAILED = "failed", "The attempt failed; the document was not changed."


class SectionChange(LabelledEnum):
    """Changes to a section between versions."""

    SAME = "same", "unchanged"
    CHANGED = "changed", "changed"
    ADDED = "added", "new"
    REMOVED = "removed", "removed"
