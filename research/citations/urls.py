"""Normalise URLs, and find the registrable domain of each."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from contextlib import suppress
from functools import cache
from importlib.resources import files
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urljoin, urlsplit

import idna
from tldextract import TLDExtract

_DATA = tomllib.loads(files(__package__).joinpath("urls.toml").read_text(encoding="utf-8"))
_TRACKING, _MANNER, _PASSING, _HOST_PREFIX, _MOBILE_LABEL, _SESSION, _INDEX, _AMP, _FORM, _WRAPPED, _BARE_HOST = (
    re.compile(_DATA[name], re.IGNORECASE)
    for name in (
        "tracking", "manner", "passing", "host_prefix", "mobile_label", "session", "index", "amp", "form",
        "wrapped", "bare_host",
    )
)  # fmt: skip
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_SAFE = "/:@!$&'()*+,;=~-._"


def canonical_url(url: str | None) -> str | None:
    """Return the URL without scheme variants, "www.", default ports, tracking and fragment; None if invalid.

    An AMP page or a snapshot in the Internet Archive gets the URL of the original page.
    """
    parts = _split(url)
    if parts is None or not parts.hostname:
        return None
    host = _host(parts.hostname)
    port = f":{parts.port}" if parts.port not in {None, 80, 443} else ""
    query = urlencode(sorted(pair for pair in parse_qsl(parts.query, keep_blank_values=True) if _tells(*pair)))
    path = _path(parts.path) + (f"?{query}" if query else "")
    return f"https://{f'[{host}]' if ':' in host else host}{port}{path}"


def registrable_domain(url: str | None) -> str:
    """Return the registrable domain ("example.co.uk") of a URL or host; the host if it has none.

    Uses the Public Suffix List bundled with tldextract. Returns "" for text without a host.
    """
    parts = _split(url)
    host = _host(parts.hostname) if parts and parts.hostname else ""
    return (host and _suffixes()(host).top_domain_under_public_suffix) or host


def page_of(canonical: str) -> str:
    """Return a canonical URL without the suffix of a format such as HTML or PDF."""
    path, mark, query = canonical.partition("?")
    return _FORM.sub("", path) + mark + query


def is_home_page(canonical: str) -> bool:
    """Return whether a URL names a site and no page of it."""
    return not re.search(r"[/?]", canonical.removeprefix("https://"))


def _split(url: str | None) -> SplitResult | None:
    text = (url or "").strip().strip("<>")
    if match := _WRAPPED.match(text):
        text = re.sub(r"^(https?):/(?!/)", r"\1://", match[1])
    if re.search(r"\s", text) or not (_SCHEME.match(text) or _BARE_HOST.match(text)):
        return None
    try:
        parts = urlsplit(text if _SCHEME.match(text) else f"//{text}")
        # Reading the port validates it: it raises ValueError.
        return parts if parts.port is None or parts.port else None
    except ValueError:
        return None


def _host(host: str) -> str:
    name = host.rstrip(".").lower()
    # A host that IDNA rejects, such as one with an underscore or an IP address, still names its site.
    with suppress(idna.IDNAError):
        name = idna.encode(name, uts46=True).decode("ascii")
    return _MOBILE_LABEL.sub(r"\1.", _HOST_PREFIX.sub("", name))


def _path(path: str) -> str:
    plain = quote(unicodedata.normalize("NFC", unquote(_SESSION.sub("", path))), safe=_SAFE)
    plain = _INDEX.sub("/", urljoin("https://host/", re.sub(r"/{2,}", "/", plain)).removeprefix("https://host"))
    return _AMP.sub("", plain.rstrip("/")).rstrip("/")


def _tells(name: str, value: str) -> bool:
    """Return whether a parameter may tell one page from another."""
    if _MANNER.fullmatch(name):
        return bool(re.fullmatch(r"\d{2,}", value))
    return not (_TRACKING.fullmatch(name) or _PASSING.fullmatch(f"{name}={value}"))


@cache
def _suffixes() -> TLDExtract:
    # Use the bundled list: no download, no cache on disk.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)
