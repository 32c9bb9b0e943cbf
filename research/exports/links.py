"""Which addresses may become links."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from research.document import Reference

_SCHEMES = frozenset({"http", "https"})


def safe_url(url: str | None) -> str | None:
    """The address as it may stand in a link; None for anything but an absolute http(s) address."""
    if not url:
        return None
    folded = "".join(url.split())
    try:
        parts = urlsplit(folded)
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES or not parts.hostname or any(ord(char) < 32 for char in folded):
        return None
    return quote(folded, safe="%/:=&?~#+!$,;'@()*[]-._")


def link_of(reference: Reference) -> str | None:
    """Where a source can be opened: its address, else its DOI."""
    if url := safe_url(reference.url):
        return url
    doi = (reference.doi or "").strip().removeprefix("https://doi.org/").removeprefix("doi:").strip()
    return f"https://doi.org/{quote(doi, safe='/().;:-_')}" if doi.startswith("10.") else None
