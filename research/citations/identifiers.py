"""Normalise identifiers of works: URL, DOI, ISBN, and the number in a collection that a URL gives."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from importlib.resources import files
from urllib.parse import parse_qsl, unquote, urlsplit

from stdnum import isbn
from tldextract import TLDExtract
from w3lib.url import canonicalize_url

_DATA = tomllib.loads(files(__package__).joinpath("addressed_works.toml").read_text(encoding="utf-8"))
_DOI_PAGES = [(re.compile(pattern), doi) for pattern, doi in _DATA["dois"].items()]
_NUMBERS = [
    (name, re.compile(pattern, re.IGNORECASE))
    for name, patterns in _DATA["collections"].items()
    for pattern in patterns
]
#: Collections in which a work may have several numbers; in others, different ones mean different works.
SEVERAL_NUMBERS = frozenset(_DATA["several_numbers"])
#: What the numbers of a collection are written with or without.
_LEFT_OUT = {"pii": ("(", ")", "-"), "ojs": ("/index.php",)}
#: Query parameters whose value may be a DOI.
_DOI_PARAMETERS = frozenset({"id", "doi", "article", "articleid", "uri"})
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,9}/[^\s\"<>]{1,500}", re.IGNORECASE)
_SENTENCE_MARKS = ".,;:'\u2019\u201d/"
_OPENING = {")": "(", "]": "[", "}": "{"}
_ISBN = re.compile(
    r"(?<![\dX])(?:97[89][\s-]?)?\d(?:[\s\u2010-\u2015-]?\d){8}[\s\u2010-\u2015-]?[\dX](?![\dX])", re.IGNORECASE
)
_REWRITES = {
    step: [(re.compile(pattern, re.IGNORECASE), new) for pattern, new in rules]
    for step, rules in tomllib.loads(files(__package__).joinpath("urls.toml").read_text(encoding="utf-8")).items()
}


def normal_doi(value: str | None) -> str | None:
    """Return the DOI in a text or URL, in lower case and without its surroundings; None if there is none."""
    text = (value or "").strip()
    is_address = bool(re.match(r"(?i)https?://", text))
    if is_address:
        text = doi_of_address(text) or re.split(r"[?#]", text)[0]
    match = _DOI.search(unquote(text))
    if match is None:
        return None
    doi = _without_tail(match[0].lower())
    if is_address:
        doi = _without_tail(_rewritten("doi_in_url", doi))
    return _rewritten("doi", doi) if "/" in doi else None


def doi_of_address(url: str) -> str | None:
    """Return the DOI, in lower case, given by the URL of a publisher's page or by a query parameter, or None."""
    page, _, query = url.split("#")[0].partition("?")
    for pattern, doi in _DOI_PAGES:
        if match := pattern.search(unquote(page).lower()):
            return str(doi).format(match[1])
    handed_on = (value.lower() for name, value in parse_qsl(query) if name.lower() in _DOI_PARAMETERS)
    return next((value for value in handed_on if _DOI.match(value.removeprefix("doi:"))), None)


def collection_ids(*addresses: str | None) -> dict[str, str]:
    """Return the identifiers found in URLs and DOIs, by collection ("arxiv", "pmid", "jstor" …)."""
    found: dict[str, str] = {}
    for address in filter(None, addresses):
        plain = unquote(address).split("#")[0]
        for collection, pattern in _NUMBERS:
            if match := pattern.search(plain):
                number = " ".join(match.groups())
                number = number if collection in _DATA["case_sensitive"] else number.lower()
                for part in _LEFT_OUT.get(collection, ()):
                    number = number.replace(part, "")
                found.setdefault(collection, number)
    return found


def isbns_of(text: str | None) -> list[str]:
    """Return all valid ISBNs in a text as thirteen digits, omitting those with a wrong check digit."""
    found = (re.sub(r"[^\dX]", "", match[0].upper()) for match in _ISBN.finditer(text or ""))
    return list(dict.fromkeys(isbn.to_isbn13(number) for number in found if isbn.is_valid(number)))


def _without_tail(doi: str) -> str:
    """Strip punctuation that belongs to the surrounding sentence; balanced brackets belong to the DOI and stay."""
    while doi and (doi[-1] in _SENTENCE_MARKS or doi.count(doi[-1]) > doi.count(_OPENING.get(doi[-1], doi[-1]))):
        doi = doi[:-1]
    return doi


def canonical_url(url: str | None) -> str | None:
    """Return the URL without scheme variants, "www.", default ports, tracking and fragment; None if invalid.

    An AMP page or a snapshot in the Internet Archive gets the URL of the original page.
    """
    text = _rewritten("given", unicodedata.normalize("NFC", url or "").strip())
    if not re.match(r"https://[^\s/?#:]\S*$", text):
        return None
    try:
        return _rewritten("canonical", canonicalize_url(text))
    except ValueError:
        return None


def registrable_domain(url: str | None) -> str:
    """Return the registrable domain ("example.co.uk") of a URL or host; the host if it has none.

    Uses the Public Suffix List bundled with tldextract. Returns "" for text without a host.
    """
    host = urlsplit(canonical_url(url) or "").hostname or ""
    return (host and _suffixes()(host).top_domain_under_public_suffix) or host


def page_of(canonical: str | None) -> str | None:
    """Return a canonical URL without the suffix of a format such as HTML or PDF; None if it names a site only."""
    is_page = re.search(r"[/?]", (canonical or "").removeprefix("https://"))
    return _rewritten("page", canonical) if canonical and is_page else None


def _rewritten(step: str, url: str) -> str:
    for pattern, new in _REWRITES[step]:
        url = pattern.sub(new, url)
    return url


@cache
def _suffixes() -> TLDExtract:
    # Use the bundled list: no download, no cache on disk.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)
