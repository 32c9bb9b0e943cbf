"""Validate and clean providers' answers: expected types, and only text that database and JSON can store."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from typing import TypeVar

from research.sources.base import FetchedText, ForbiddenAddressError, Hit, SourceUnavailableError
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


def each(items: object, read: Callable[[int, object], T]) -> list[T]:
    """Apply `read` to index and item, skipping malformed items. Raises ValueError if all are malformed."""
    if not isinstance(items, list | tuple):
        raise TypeError("not a list")
    found = []
    for place, item in enumerate(items):
        try:
            found.append(read(place, item))
        except _MALFORMED:
            continue
    if items and not found:
        raise ValueError("nothing that could be read")
    return found


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


def number(value: object, otherwise: float) -> float:
    """Return `value` as a float if it is finite and below 1e12, else `otherwise`."""
    found = float(value) if isinstance(value, int | float) and abs(value) < 1e12 else otherwise
    return found if math.isfinite(found) else otherwise


def sound_hit(hit: Hit) -> Hit | None:
    """Return the hit with cleaned fields, or None if its URL may not be opened."""
    if hit.url is not None and _address(hit.url) is None:
        return None
    return replace(
        hit,
        title=plain(hit.title) or hit.locator[:_LONGEST],
        publisher=plain(hit.publisher) or None,
        doi=plain(hit.doi) or None,
        isbn=plain(hit.isbn) or None,
        language=_language(hit.language),
    )


def sound_text(text: FetchedText) -> FetchedText:
    """Return the text with cleaned metadata; an invalid URL or language becomes None."""
    return replace(
        text, url=_address(text.url), title=plain(text.title) or None, language=_language(text.language)
    )


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
