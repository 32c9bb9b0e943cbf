"""Codes of what can go wrong in research."""

from __future__ import annotations

from core.messages import MessageCode


class ResearchCode(MessageCode):
    """What went wrong, and what it means for the report."""

    INVALID_DECISION = "invalid_decision", "The analysis could not be used. The document stays as it was."
    BUDGET_SPENT = "budget_spent", "The report's budget is spent. It is written from what was found until then."
    CANCELLED = "cancelled", "The report was stopped. What was found until then is kept."
    TIER_UNKNOWN = "tier_unknown", "There is no tier called %(given)s; there are %(known)s."
    FORMAT_UNKNOWN = "format_unknown", "There is no format %(given)s; there are %(known)s."
    NO_DECISION = "no_decision", "There is no decision on a revision that the supervision could go on with."
    SOURCE_FAILED = "source_failed", "A source could not be reached. The report goes on with the others."
    SOURCE_UNAVAILABLE = (
        "source_unavailable",
        "A source does not answer at present. The report goes on with the others.",
    )
    SOURCE_REFUSED = "source_refused", "A source refused. Check its key and its quota in the settings."
    SOURCE_WITHOUT_TEXT = "source_without_text", "A source has no text that could be read."
    SOURCE_FORBIDDEN = (
        "source_forbidden",
        "An address was not opened, because it is private or on a domain that was excluded.",
    )
    OPENALEX_OFF = (
        "openalex_off",
        "Scholarly works of OpenAlex are off. Set OPENALEX_API_KEY to switch them on.",
    )
    OPENLIBRARY_OFF = (
        "openlibrary_off",
        "Books of Open Library are off. Set OPENLIBRARY_CONTACT to an e-mail address to switch them on.",
    )
    FIRECRAWL_OFF = "firecrawl_off", "The web by Firecrawl is off. Set FIRECRAWL_API_KEY to switch it on."
    TAVILY_OFF = "tavily_off", "The web by Tavily is off. Set TAVILY_API_KEY to switch it on."
