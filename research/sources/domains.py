"""Check URLs against lists of allowed and denied domains; each entry includes its subdomains."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from research.sources.base import ForbiddenAddressError, Hit


def host_of(url: str) -> str:
    """Return a URL's host as DNS looks it up (lower case, Punycode); empty if it has none."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def is_allowed(url: str, allowed: Iterable[str], denied: Iterable[str]) -> bool:
    """Return whether the lists permit this URL; an empty list of allowed domains permits all."""
    host = host_of(url)
    limits = domains_of(allowed)
    if any(_is_within(host, domain) for domain in domains_of(denied)):
        return False
    return not limits or any(_is_within(host, domain) for domain in limits)


def check_allowed(url: str, hit: Hit) -> None:
    """Raise ForbiddenAddressError for an address outside the domains of the search that found the hit."""
    if not is_allowed(url, hit.domains_allowed, hit.domains_denied):
        raise ForbiddenAddressError("a domain that this report does not read")


def domains_of(entries: Iterable[str]) -> list[str]:
    """Return the domains of a list's entries, without blank ones."""
    return [domain for entry in entries if (domain := domain_of_entry(entry))]


def domain_of_entry(entry: str) -> str:
    """Normalise an entry: `https://www.Example.org/page`, `*.example.org` and `example.org` are the same."""
    text = entry.strip()
    host = host_of(text) if "://" in text else host_of(f"//{text}")
    return host.removeprefix("*.").removeprefix(".").removeprefix("www.")


def _is_within(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")
