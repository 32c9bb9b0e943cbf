"""Validate and clean providers' answers: expected types, and only text that database and JSON can store."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from typing import Any, TypeVar

from research.sources.base import FetchedText, ForbiddenAddressError, Hit, SourceKind, SourceUnavailableError
from research.sources.passages import clean
from research.sources.web.addresses import checked_url

T = TypeVar("T")

#: Exceptions that reading a malformed answer may raise.
_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
_MARKUP = re.compile(r"</?[A-Za-z][\w:-]*(\s[^<>]*)?/?>")
_YEAR = re.compile(r"(1[5-9]|20)\d\d")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?![a-z])", re.IGNORECASE)
#: Most characters of a title, name or identifier, and of a URL.
_LONGEST, _LONGEST_URL = 500, 2000
_MOST_AUTHORS, _SNIPPET = 50, 300


@contextmanager
def understood(name: str) -> Iterator[None]:
    """Turn exceptions from a malformed answer in the block into SourceUnavailableError."""
    try:
        yield
        return
    except _MALFORMED:
        pass
    # Raised outside the handler: a validation error quotes the answer and must not be chained.
    raise SourceUnavailableError(f"{name}: an answer of another shape")


def each(items: object, read: Callable[[int, Any], T | None]) -> list[T]:
    """Apply `read` to index and item, without malformed items and None. Raises ValueError if all are malformed."""
    if not isinstance(items, list | tuple):
        raise TypeError("not a list")
    found, malformed = [], 0
    for place, item in enumerate(items):
        try:
            found.append(read(place, item))
        except _MALFORMED:
            malformed += 1
    if items and malformed == len(items):
        raise ValueError("nothing that could be read")
    return [one for one in found if one is not None]


def hit_of(
    provider: str,
    kind: SourceKind,
    rank: int,
    *,
    locator: str,
    url: str,
    title: object,
    authors: Iterable[object] = (),
    year: object = None,
    publisher: object = None,
    doi: object = None,
    isbn: object = None,
    snippet: object = None,
    score: object = None,
    language: object = None,
) -> Hit | None:
    """Return the hit of a provider's values, cleaned, or None if its URL may not be opened.

    A score that is missing or no number is made from the rank, since providers order by relevance.
    """
    if _address(url) is None:
        return None
    return Hit(
        provider=provider,
        kind=kind,
        title=plain(title) or locator[:_LONGEST],
        locator=locator,
        url=url,
        authors=tuple(name for author in authors if (name := plain(author)))[:_MOST_AUTHORS],
        year=year_of(year),
        publisher=plain(publisher) or None,
        doi=plain(doi) or None,
        isbn=plain(isbn) or None,
        snippet=plain(snippet)[:_SNIPPET],
        score=_number(score, 1 / (rank + 1)),
        language=_language(language),
    )


def sound_text(text: FetchedText) -> FetchedText:
    """Return the text with cleaned metadata; an invalid URL or language becomes None."""
    return replace(
        text, url=_address(text.url), title=plain(text.title) or None, language=_language(text.language)
    )


def plain(text: object) -> str:
    """Return a title or name without markup and entities; empty if `text` is not a string."""
    return unmarked(text[: 2 * _LONGEST])[:_LONGEST] if isinstance(text, str) else ""


def unmarked(text: str) -> str:
    """Return the text on one line, without markup and entities."""
    return " ".join(clean(_MARKUP.sub("", unescape(text))).split())


def year_of(value: object) -> int | None:
    """Return the year given as a number or at the start of a date, or None."""
    found = _YEAR.match(str(value)) if type(value) in (str, int) else None
    return int(found[0]) if found else None


def _number(value: object, otherwise: float) -> float:
    """Return `value` as a float if it is finite and below 1e12, else `otherwise`."""
    found = float(value) if isinstance(value, int | float) and abs(value) < 1e12 else otherwise
    return found if math.isfinite(found) else otherwise


def _address(url: object) -> str | None:
    if not isinstance(url, str) or len(url) > _LONGEST_URL:
        return None
    try:
        checked_url(url)
    except ForbiddenAddressError:
        return None
    return url


def _language(value: object) -> str | None:
    found = _LANGUAGE.match(value) if isinstance(value, str) else None
    return found[0].lower() if found else None
