"""Keys stored in rows of reports, each with its label for display."""

from __future__ import annotations

from core.messages import LabelledEnum


class Phase(LabelledEnum):
    """The current phase of a report."""

    PLANNING = "planning", "Planning"
    AWAITING_PLAN = "awaiting_plan", "The plan is waiting for approval"
    ROUND_1 = "round_1", "Round 1: discovery"
    READING_1 = "reading_1", "Reading the sources"
    ROUND_2 = "round_2", "Round 2: filling gaps"
    READING_2 = "reading_2", "Reading the sources"
    ROUND_3 = "round_3", "Round 3: verification"
    READING_3 = "reading_3", "Reading the sources"
    WRITING = "writing", "Writing"
    DONE = "done", "Done"


class Round(LabelledEnum):
    """The rounds of research, by number."""

    FIRST = "1", "Discovery"
    SECOND = "2", "Filling gaps"
    THIRD = "3", "Verification"


class Skipped(LabelledEnum):
    """Why a round was skipped."""

    NO_GAPS = "no_gaps", "Skipped: no gap was open."
    NO_CLAIMS = "no_claims", "Skipped: there was no claim to verify."
    NO_TASKS_LEFT = "no_tasks_left", "Skipped: this level allows no more tasks."
    NO_SOURCES = "no_sources", "Skipped: there was no source to search."
    BUDGET = "budget", "Skipped: the budget was used up."


class ReportEnded(LabelledEnum):
    """Why a report's research ended."""

    COMPLETE = "complete", "All three rounds were done."
    NO_EVIDENCE = (
        "no_evidence",
        "Nothing was found that could be quoted. The report says so and makes no claims.",
    )
    BUDGET = "budget", "The budget was used up; the report has what had been found."
    CANCELLED = "cancelled", "It was canceled before the end."
    ERROR = "error", "It ended with an error."


class TierLabel(LabelledEnum):
    """Quality tiers of research."""

    QUICK = "quick", "Quick"
    STANDARD = "standard", "Standard"
    COMPREHENSIVE = "comprehensive", "Comprehensive"
    HIGH_QUALITY = "high_quality", "High quality"


class Researcher(LabelledEnum):
    """Kinds of researchers."""

    WEB = "web", "Web researcher"
    ACADEMIC = "academic", "Academic researcher"
    BOOK = "book", "Book researcher"


class SourceProviderName(LabelledEnum):
    """Providers of sources."""

    LIBRARY = "library", "Our library"
    OPENALEX = "openalex", "OpenAlex"
    OPENLIBRARY = "openlibrary", "Open Library"
    TAVILY = "tavily", "Tavily"
    FIRECRAWL = "firecrawl", "Firecrawl"


class GapType(LabelledEnum):
    """Types of gaps."""

    MISSING_FIELD = "missing_field", "Missing detail"
    WEAK_EVIDENCE = "weak_evidence", "Limited evidence"
    MISSING_TOPIC = "missing_topic", "Missing topic"
    MISSING_CANDIDATES = "missing_candidates", "Too few items"


class Priority(LabelledEnum):
    """Priorities of gaps by number."""

    HIGH = "1", "high"
    MEDIUM = "2", "medium"
    LOW = "3", "low"


class ClaimConfidence(LabelledEnum):
    """Confidence in a claim."""

    HIGH = "high", "high"
    MEDIUM = "medium", "medium"
    LOW = "low", "low"


class Verification(LabelledEnum):
    """Results of comparing a claim with other sources."""

    CONFIRMED = "confirmed", "Confirmed by another source"
    CONTRADICTED = "contradicted", "Contradicted by another source"
    NOT_FOUND = "not_found", "Not found in another source"


class VersionOrigin(LabelledEnum):
    """Origins of a version."""

    SYNTHESIS = "synthesis", "Written from the research"
    UPLOADED = "uploaded", "Uploaded"
    REVISION = "revision", "Revised"
    RESTORED = "restored", "Restored"
    EDITED = "edited", "Edited"


class ReportFormat(LabelledEnum):
    """Formats of an exported file."""

    MARKDOWN = "markdown", "Markdown"
    HTML = "html", "HTML page"
    DOCX = "docx", "Word"
    PDF = "pdf", "PDF"
    JSON = "json", "JSON"
    BIBTEX = "bibtex", "BibTeX"
    CSL = "csl", "CSL JSON"


class ReportLanguage(LabelledEnum):
    """Languages of reports."""

    EN = "en", "English"
    ES = "es", "Spanish"
