"""Which domains a report may read: a name in a list stands for itself and for everything below it."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit


def host_of(url: str) -> str:
    """The host of an address as names are looked up (small letters, Punycode); empty where there is none."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def is_allowed(url: str, allowed: Iterable[str], denied: Iterable[str]) -> bool:
    """Whether the lists let this address be read. An empty list of allowed domains allows every one."""
    host = host_of(url)
    allowed = [domain for entry in allowed if (domain := domain_of_entry(entry))]
    if any(_is_within(host, domain_of_entry(entry)) for entry in denied):
        return False
    return not allowed or any(_is_within(host, domain) for domain in allowed)


def domain_of_entry(entry: str) -> str:
    """What a person meant: `https://www.Example.org/page`, `*.example.org` and `example.org` are one."""
    text = entry.strip()
    host = host_of(text) if "://" in text else host_of(f"//{text}")
    return host.removeprefix("*.").removeprefix(".").removeprefix("www.")


def _is_within(host: str, domain: str) -> bool:
    return bool(domain) and (host == domain or host.endswith(f".{domain}"))
