"""Normalise URLs, and find the registrable domain of each."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import cache
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urljoin, urlsplit

import idna
from tldextract import TLDExtract

#: Query parameters for tracking and sessions, which do not identify the page. Those of `courlan` do not serve:
#: they include "eid", "uid" and "keyword", by which sites name works and pages.
_TRACKING = re.compile(
    r"(?:utm_|pk_|mtm_|hsa_|mc_|oly_|vero_|_hs).*|spm|scm|at_medium|at_campaign"
    r"|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|twclid|ttclid|yclid|igshid|igsh|mkt_tok|li_fat_id|rb_clickid"
    r"|s_cid|cmpid|ncid|smid|smtyp|ref|ref_src|ref_url|referrer|trk|_ga|_gl|sessionid"
    r"|phpsessid|jsessionid|aspsessionid\w*|session_id|amp|outputtype|casa_token"
    r"|needaccess|scroll",
    re.IGNORECASE,
)
#: Parameters that also track or set the display, unless the value is a number of two or more digits.
_MANNER = re.compile(r"share|via|source|download|print|printable|feature|si", re.IGNORECASE)
#: A cache-busting number.
_FRESHNESS = re.compile(r"(?:v|ver|version|t|ts|timestamp|cb|_)=\d{10,13}", re.IGNORECASE)
_PREFIX = re.compile(r"^(?:www\d?|m|mobile|amp|touch|wap)\.(?=[^.]+\.)")
_MOBILE_LABEL = re.compile(r"^([^.]+)\.m\.(?=[^.]+\.)")
_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?]*|/\(S\([a-z0-9]{10,}\)\)", re.IGNORECASE)
#: "sid" names a session if its value is a long hexadecimal number; otherwise it may name a page.
_SESSION_VALUE = re.compile(r"[0-9a-f]{16,}", re.IGNORECASE)
_INDEX = re.compile(
    r"/(?:index|default|home)(?:\.[a-z]{2})?\.(?:x?html?|php\d?|aspx?|jsp|cfm|cgi|shtml)$", re.IGNORECASE
)
#: Suffixes for formats of the same page.
_FORM = re.compile(
    r"(?:\.(?:full|long|short|abstract|full-text))?\.(?:pdf|html?)$|(?<=\d)\.(?:full|long|short|abstract)$"
    r"|(?<=\d)/(?:html?|e?pdf|epub|xml|full|full-?text|abstract|summary|references|download|print)$"
)
_AMP = re.compile(r"(?:/amp(?:\.html)?|\.amp(?=\.html?$|$))$|\.amp(?=\.html?$)", re.IGNORECASE)
_ARCHIVE = re.compile(
    r"^(?:https?://)?(?:web\.archive\.org/web/(?:\d+\*?(?:[a-z]{2}_)?/)?"
    r"|archive\.(?:today|ph|is|md|li|vn|fo)/[\d.-]{8,}/)(https?:/{1,2}.+)$",
    re.IGNORECASE,
)
_AMP_CACHE = re.compile(
    r"^(?:https?://)?(?:www\.google\.[a-z.]+/amp/s/|[^/]+\.cdn\.ampproject\.org/(?:c|v|wp)/s/)(.+)$", re.IGNORECASE
)
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
#: "example.org/page", "localhost:8080"; not "mailto:" and not a word.
_BARE_HOST = re.compile(r"^(?:[^\s/?#:@]+\.[^\s/?#:@.]+|localhost)\.?(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
_SAFE = "/:@!$&'()*+,;=~-._"


def canonical_url(url: str | None) -> str | None:
    """Return the URL without scheme variants, "www.", default ports, tracking and fragment; None if invalid.

    An AMP page or a snapshot in the Internet Archive gets the URL of the original page.
    """
    parts = _split(url)
    if parts is None or not parts.hostname:
        return None
    host = _host(parts.hostname)
    host = f"[{host}]" if ":" in host else host
    path = _path(parts.path)
    query = _query(parts.query)
    return f"https://{host}{_port(parts)}{path}" + (f"?{query}" if query else "")


def registrable_domain(url: str | None) -> str:
    """Return the registrable domain ("example.co.uk") of a URL or host; the host if it has none.

    Uses the Public Suffix List bundled with tldextract. Returns "" for text without a host.
    """
    parts = _split(url)
    if parts is None or not parts.hostname:
        return ""
    host = _host(parts.hostname)
    found = _suffixes()(host).top_domain_under_public_suffix
    return found or host


def page_of(canonical: str) -> str:
    """Return a canonical URL without the suffix of a format such as HTML or PDF."""
    path, mark, query = canonical.partition("?")
    return _FORM.sub("", path) + mark + query


def is_home_page(canonical: str) -> bool:
    """Return whether a URL names a site and no page of it."""
    return not re.search(r"[/?]", canonical.removeprefix("https://"))


def _split(url: str | None) -> SplitResult | None:
    text = (url or "").strip().strip("<>")
    for wrapper in (_ARCHIVE, _AMP_CACHE):
        if match := wrapper.match(text):
            text = re.sub(r"^(https?):/(?!/)", r"\1://", match[1])
    if not text or re.search(r"\s", text):
        return None
    if not _SCHEME.match(text):
        if not _BARE_HOST.match(text):
            return None
        text = f"//{text}"
    try:
        parts = urlsplit(text)
        # Reading the port validates it: it raises ValueError.
        return parts if parts.port is None or parts.port else None
    except ValueError:
        return None


def _host(host: str) -> str:
    name = host.rstrip(".").lower()
    # A host that IDNA rejects, such as one with an underscore or an IP address, still names its site.
    with suppress(idna.IDNAError):
        name = idna.encode(name, uts46=True).decode("ascii")
    return _MOBILE_LABEL.sub(r"\1.", _PREFIX.sub("", name))


def _port(parts: SplitResult) -> str:
    return f":{parts.port}" if parts.port not in {None, 80, 443} else ""


def _path(path: str) -> str:
    plain = quote(unicodedata.normalize("NFC", unquote(_SESSION.sub("", path))), safe=_SAFE)
    plain = _INDEX.sub("/", urljoin("https://host/", re.sub(r"/{2,}", "/", plain)).removeprefix("https://host"))
    return _AMP.sub("", plain.rstrip("/")).rstrip("/")


def _query(query: str) -> str:
    kept = [pair for pair in parse_qsl(query, keep_blank_values=True) if not _says_nothing(*pair)]
    return urlencode(sorted(kept))


def _says_nothing(name: str, value: str) -> bool:
    if _FRESHNESS.fullmatch(f"{name}={value}"):
        return True
    if _MANNER.fullmatch(name):
        return not re.fullmatch(r"\d{2,}", value)
    return bool(_TRACKING.fullmatch(name)) or (name.lower() == "sid" and bool(_SESSION_VALUE.fullmatch(value)))


@cache
def _suffixes() -> TLDExtract:
    # Use the bundled list: no download, no cache on disk.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)
