"""Normalise identifiers of works: DOI and ISBN."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from stdnum import isbn

from research.citations.addressed_works import doi_of_address, without_preprint_version

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,9}/[^\s\"<>]{1,500}", re.IGNORECASE)
#: Suffixes that publishers' URLs add to a DOI.
_BEHIND_DOI = re.compile(
    r"(?:/(?:full|fulltext|abstract|pdf|epdf|html|meta|references|summary)(?:/.{0,500})?"
    r"|(?:\.(?:full|short|long|abstract|pdf|html?)){1,9})$"
)
_CLOSING = {")": "(", "]": "[", "}": "{"}
_ARXIV_DOI = re.compile(r"^(10\.48550/arxiv\..+?)v\d+$")
_ISBN = re.compile(
    r"(?<![\dX])(?:97[89][\s-]?)?\d(?:[\s\u2010-\u2015-]?\d){8}[\s\u2010-\u2015-]?[\dX](?![\dX])", re.IGNORECASE
)


def normal_doi(value: str | None) -> str | None:
    """Return the DOI in a text or URL, in lower case and without its surroundings; None if there is none."""
    if not value:
        return None
    text = value.strip()
    is_address = bool(re.match(r"(?i)https?://", text))
    if is_address:
        text = doi_of_address(text) or re.split(r"[?#]", text)[0]
    match = _DOI.search(unquote(text))
    if match is None:
        return None
    doi = _without_tail(match[0].lower())
    if is_address:
        doi = without_preprint_version(_without_tail(_BEHIND_DOI.sub("", doi)))
    if "/" not in doi:
        return None
    version = _ARXIV_DOI.match(doi)
    return version[1] if version else doi


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
    while doi and (doi[-1] in ".,;:'\u2019\u201d/" or _is_lone(doi)):
        doi = doi[:-1]
    return doi


def _is_lone(doi: str) -> bool:
    opening = _CLOSING.get(doi[-1])
    return opening is not None and doi.count(doi[-1]) > doi.count(opening)
