"""Compare e-mail addresses with the names of their entry: one that nearly contains a name was misread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rapidfuzz import fuzz

from pipeline.extraction.combine import RECOGNISED_ALONE
from pipeline.pages.page_model import Source
from pipeline.profiles.declared import declared_fields
from pipeline.schema import FieldReading
from pipeline.spelling.alphabet import letters

_EMAIL = "email"
#: Minimum letters of a name for which similarity is meaningful.
_TELLING = 4
#: A mailbox that holds something this like a name (0-100) was meant to hold the name. On three corpora none of 44
#: addresses that were read right held such a thing, and 4 of 16 that were not.
_NEARLY = 70


def without_misread_mailbox(fields: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """Return the fields without an e-mail address that was recognised once and misspells a name of the entry.

    Its evidence stays, so that a person finds the place.
    """
    read = fields.get(_EMAIL)
    if read is None or read.value is None or read.source is not Source.OCR or read.confidence > RECOGNISED_ALONE:
        return dict(fields)
    mailbox = letters(read.value.partition("@")[0])
    names = [fields[name].value or "" for name in declared_fields()[_EMAIL].spells if name in fields]
    if not _nearly_holds(mailbox, _telling_words(names)):
        return dict(fields)
    doubted = {"value": None, "confidence": 0.0, "method": f"{read.method}: a name misspelt"}
    return {**fields, _EMAIL: read.model_copy(update=doubted)}


def _telling_words(names: Iterable[str]) -> Iterator[str]:
    return (word for name in names for part in name.split() if len(word := letters(part)) >= _TELLING)


def _nearly_holds(mailbox: str, words: Iterable[str]) -> bool:
    best = max((_likeness(mailbox, word) for word in words), default=0.0)
    return _NEARLY <= best < 100


def _likeness(mailbox: str, word: str) -> float:
    """Return the highest similarity (0-100) of the word to any part of the mailbox of the same length."""
    starts = range(max(len(mailbox) - len(word), 0) + 1)
    return max(fuzz.ratio(word, mailbox[at : at + len(word)]) for at in starts)
