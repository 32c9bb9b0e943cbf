"""Normalise identifiers of works: DOI, ISBN, and the number in a collection that a URL gives."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files
from urllib.parse import parse_qsl, unquote, urlsplit

from stdnum import isbn

_DATA = tomllib.loads(files(__package__).joinpath("addressed_works.toml").read_text(encoding="utf-8"))
_DOI_PAGES = [(re.compile(pattern), doi) for pattern, doi in _DATA["dois"].items()]
_NUMBERS = [
    (name, re.compile(pattern, re.IGNORECASE))
    for name, patterns in _DATA["collections"].items()
    for pattern in patterns
]
#: What the numbers of a collection are written with or without.
_LEFT_OUT = {"pii": ("(", ")", "-"), "ojs": ("/index.php",)}
#: Query parameters whose value may be a DOI.
_DOI_PARAMETERS = frozenset({"id", "doi", "article", "articleid", "uri"})
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,9}/[^\s\"<>]{1,500}", re.IGNORECASE)
#: Suffixes that publishers' URLs add to a DOI.
_BEHIND_DOI = re.compile(
    r"(?:/(?:full|fulltext|abstract|pdf|epdf|html|meta|references|summary)(?:/.{0,500})?"
    r"|(?:\.(?:full|short|long|abstract|pdf|html?)){1,9})$"
)
_SENTENCE_MARKS = ".,;:'\u2019\u201d/"
_OPENING = {")": "(", "]": "[", "}": "{"}
_ARXIV_VERSION = re.compile(r"(?<=^10\.48550/arxiv\.)(.+?)v\d+$")
_PREPRINT_VERSION = re.compile(r"^(10\.(?:1101|64898)/[\d.]*\d)v\d+(?:\..{0,500})?$")
_ISBN = re.compile(
    r"(?<![\dX])(?:97[89][\s-]?)?\d(?:[\s\u2010-\u2015-]?\d){8}[\s\u2010-\u2015-]?[\dX](?![\dX])", re.IGNORECASE
)


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
        doi = _PREPRINT_VERSION.sub(r"\1", _without_tail(_BEHIND_DOI.sub("", doi)))
    return _ARXIV_VERSION.sub(r"\1", doi) if "/" in doi else None


def doi_of_address(url: str) -> str | None:
    """Return the DOI, in lower case, given by the URL of a publisher's page or by a query parameter, or None."""
    page = unquote(url).lower().split("#")[0].split("?")[0]
    for pattern, doi in _DOI_PAGES:
        if match := pattern.search(page):
            return str(doi).format(match[1])
    handed_on = (v.lower() for name, v in parse_qsl(urlsplit(url).query) if name.lower() in _DOI_PARAMETERS)
    return next((value for value in handed_on if _DOI.match(value.removeprefix("doi:"))), None)


def collection_ids(*addresses: str | None) -> dict[str, str]:
    """Return the identifiers found in URLs and DOIs, by collection ("arxiv", "pmid", "jstor" …)."""
    found: dict[str, str] = {}
    for address in filter(None, addresses):
        plain = unquote(address).split("#")[0]
        for collection, pattern in _NUMBERS:
            if match := pattern.search(plain):
                number = " ".join(match.groups())
                for part in _LEFT_OUT.get(collection, ()):
                    number = number.replace(part, "")
                found.setdefault(collection, number if collection in _DATA["case_sensitive"] else number.lower())
    return found


def numbers_contradict(collection: str) -> bool:
    """Return whether different numbers in the collection mean different works."""
    return collection not in _DATA["several_numbers"]


def normal_isbn(value: str | None) -> str | None:
    """Return the first valid ISBN in a text as thirteen digits, or None."""
    return next(iter(isbns_of(value)), None)


def isbns_of(value: str | Iterable[str] | None) -> list[str]:
    """Return all valid ISBNs as thirteen digits, omitting those with a wrong check digit."""
    texts = [value] if isinstance(value, str) else value or ()
    found = [re.sub(r"[^\dX]", "", match[0].upper()) for text in texts for match in _ISBN.finditer(text)]
    return list(dict.fromkeys(isbn.to_isbn13(number) for number in found if isbn.is_valid(number)))


def _without_tail(doi: str) -> str:
    """Strip punctuation that belongs to the surrounding sentence; balanced brackets belong to the DOI and stay."""
    while doi and (doi[-1] in _SENTENCE_MARKS or doi.count(doi[-1]) > doi.count(_OPENING.get(doi[-1], doi[-1]))):
        doi = doi[:-1]
    return doi
