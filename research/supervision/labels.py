"""Keys stored in rows of supervisions, each with its label for display."""

from __future__ import annotations

from core.labels import LabelledEnum


class SupervisionPhase(LabelledEnum):
    """The current phase of a supervision."""

    ANALYZE_REVIEW = "analyze_review", "Looking for the weightiest gap"
    EXPAND_TOPIC = "expand_topic", "Researching the gap"
    INTEGRATE_CONTENT = "integrate_content", "Working what was found into the document"
    AWAIT_DECISION = "await_decision", "Waiting for a decision"
    SETTLE_ATTEMPT = "settle_attempt", "Writing down what came of it"
    FINALIZE = "finalize", "Finishing"


class ModeLabel(LabelledEnum):
    """Modes of deciding revisions."""

    SUPERVISED = "supervised", "Supervised"
    AUTOMATIC = "automatic", "Automatic"


class CameOfIt(LabelledEnum):
    """Outcomes of an attempt without a revision, as sentences."""

    NO_EVIDENCE = "no_evidence", "Sources were looked for and none was found, so nothing was changed."
    REFUSED_BY_GUARD = "refused_by_guard", "What was written for it was not taken; the document stays as it was:"
    ALREADY_EXPLORED = "already_explored", "This gap was looked into before; it was not researched again."
    FAILED = "failed", "The attempt failed; the document stays as it was."


class IssueLabel(LabelledEnum):
    """Types of issues."""

    UNDERLYING_THEORY = "underlying_theory", "Underlying theory"
    METHODOLOGICAL_FOUNDATION = "methodological_foundation", "Methodological foundation"
    UNIFYING_THREADS = "unifying_threads", "Unifying threads"
    FOUNDATIONAL_CONCEPTS = "foundational_concepts", "Foundational concepts"
    THIN_SECTION = "thin_section", "Thin section"
    UNSUPPORTED_CLAIM = "unsupported_claim", "Unsupported claim"


class Severity(LabelledEnum):
    """Severities of issues."""

    MINOR = "minor", "minor"
    MODERATE = "moderate", "moderate"
    SIGNIFICANT = "significant", "significant"


class Change(LabelledEnum):
    """Changes to a section between versions."""

    SAME = "same", "unchanged"
    CHANGED = "changed", "changed"
    ADDED = "added", "new"
    REMOVED = "removed", "removed"
