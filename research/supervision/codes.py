"""Message codes of the loop: bases of an examination, rationales of gaps, refusals of the guard."""

from __future__ import annotations

from core.messages import MessageCode


class ExaminedCode(MessageCode):
    """The basis of an analysis that found no gap, or why it had none."""

    RULES_SATISFIED = (
        "rules_satisfied",
        "Compared with %(sources)s sources by rule: no concept that they rest on is missing, and no section is "
        "thin or makes claims without a source.",
    )
    DOCUMENT_TOO_SHORT = (
        "document_too_short",
        "No section of the document has %(least)s words or more, so there was nothing to examine. Write it out, "
        "then start again.",
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
        "The library holds %(found)s sources on the subject in the language of the document, and a comparison "
        "needs %(least)s. Add sources to the library, then start again.",
    )


class RationaleCode(MessageCode):
    """Rationales of gaps found by rule."""

    CONCEPT_NOT_NAMED = (
        "concept_not_named",
        "%(naming)s of %(sources)s sources on this subject rest on it, and the document does not name it.",
    )
    PLANNED_NOT_NAMED = "planned_not_named", "The plan names it, and the document does not."
    SECTION_THIN = "section_thin", "The section says less, or cites less, than the others of this document."
    CLAIMS_UNSUPPORTED = (
        "claims_unsupported",
        "Statements with a figure, a date or a name in “%(heading)s” that have no source: %(count)s.",
    )


class RefusalCode(MessageCode):
    """Reasons for which the guard refuses a revised document."""

    CITATIONS_LOST = "citations_lost", "These citations would be lost: %(keys)s."
    CITATIONS_UNKNOWN = "citations_unknown", "These citations name no source: %(keys)s."
    SECTIONS_LOST = "sections_lost", "These sections would be gone or empty: %(headings)s."
    REFERENCES_LOST = "references_lost", "These references would be lost: %(keys)s."
    REFERENCES_MISSING = (
        "references_missing",
        "These cited sources are missing among the references: %(keys)s.",
    )
    TEXT_SHRUNK = (
        "text_shrunk",
        "The text would shrink from %(was)s to %(now)s characters; at least %(least)s %% must stay.",
    )
    NOTHING_NEW = "nothing_new", "None of the sources that were found is cited for something new."
