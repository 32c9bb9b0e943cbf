"""Message codes on providers that are switched off."""

from __future__ import annotations

from core.messages import MessageCode


class ProviderOff(MessageCode):
    """Instructions for switching a provider on."""

    OPENALEX = (
        "openalex_off",
        "Scholarly works of OpenAlex are off. Set OPENALEX_API_KEY to switch them on.",
    )
    OPENLIBRARY = (
        "openlibrary_off",
        "Books of Open Library are off. Set OPENLIBRARY_CONTACT to an e-mail address to switch them on.",
    )
    TAVILY = "tavily_off", "The web by Tavily is off. Set TAVILY_API_KEY to switch it on."
    FIRECRAWL = "firecrawl_off", "The web by Firecrawl is off. Set FIRECRAWL_API_KEY to switch it on."
