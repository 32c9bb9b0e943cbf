"""Message codes of the loop, and keys stored in rows of supervisions, each with its label for display."""

from __future__ import annotations

from core.labels import LabelledEnum
from core.messages import MessageCode


class ExaminedCode(MessageCode):
    """The basis of an analysis that found no gap, or why it had none."""

    # The first two and TOO_FEW_SOURCES: in rows that were stored before ADR 49, when rules examined documents.
    RULES_SATISFIED = (
        "rules_satisfied",
        "Compared with %(sources)s sources by rules: no concept they rely on is missing, and no "
        "section is thin or makes claims without a source.",
    )
    NOTHING_FURTHER = (
        "nothing_further",
        "Compared with %(sources)s sources by rules: every gap they show was already tried or is "
        "too minor for this level.",
    )
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
    TOO_FEW_SOURCES = (
        "too_few_sources",
        "The library has %(found)s sources on this subject in the document's language, and a "
        "comparison needs %(least)s. Add sources to the library, then start again.",
    )


class RationaleCode(MessageCode):
    """Rationales of gaps that rules found, in rows that were stored before ADR 49."""

    CONCEPT_NOT_NAMED = (
        "concept_not_named",
        ("%(naming)s of %(sources)s sources on this subject rely on it, and the document does not mention it."),
    )
    PLANNED_NOT_NAMED = "planned_not_named", "The plan mentions it, and the document does not."
    SECTION_THIN = "section_thin", "This section says less or cites less than the other sections."
    CLAIMS_UNSUPPORTED = (
        "claims_unsupported",
        "Statements with a figure, a date or a name in “%(heading)s” that have no source: %(count)s.",
    )


class RefusalCode(MessageCode):
    """Reasons for which the guard refuses a revised document."""

    CITATIONS_LOST = "citations_lost", "These citations would be lost: %(keys)s."
    CITATIONS_UNKNOWN = "citations_unknown", "These citations do not match any source: %(keys)s."
    SECTIONS_LOST = "sections_lost", "These sections would be gone or empty: %(headings)s."
    REFERENCES_LOST = "references_lost", "These references would be lost: %(keys)s."
    REFERENCES_MISSING = (
        "references_missing",
        "These cited sources are missing from the references: %(keys)s.",
    )
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


class CameOfIt(LabelledEnum):
    """Outcomes of an attempt without a revision, as sentences."""

    NO_EVIDENCE = "no_evidence", "No source was found, so nothing was changed."
    REFUSED_BY_GUARD = (
        "refused_by_guard",
        "The text written for it was not accepted; the document was not changed:",
    )
    ALREADY_EXPLORED = ("already_explored", "This gap had already been researched; it was not researched again.")
    FAILED = "failed", "The attempt failed; the document was not changed."


class Change(LabelledEnum):
    """Changes to a section between versions."""

    SAME = "same", "unchanged"
    CHANGED = "changed", "changed"
    ADDED = "added", "new"
    REMOVED = "removed", "removed"
