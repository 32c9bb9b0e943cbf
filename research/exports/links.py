"""Check which URLs may become links."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from research.document import Reference

_SCHEMES = frozenset({"http", "https"})


def safe_url(url: str | None) -> str | None:
    """Return the URL quoted for a link, or None if it is not an absolute http(s) URL."""
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
    """Return the URL of a source: its own, else that of its DOI, else None."""
    if url := safe_url(reference.url):
        return url
    doi = (reference.doi or "").strip().removeprefix("https://doi.org/").removeprefix("doi:").strip()
    return f"https://doi.org/{quote(doi, safe='/().;:-_')}" if doi.startswith("10.") else None
