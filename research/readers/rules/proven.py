"""Decide whether a quotation says a value, from its words alone."""

from __future__ import annotations

import re

from research.readers.protocol import Value
from research.text.stems import fold_accents

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


def says_value(value: Value) -> bool:
    """Return whether every number and word of the value stands in its quotation."""
    told = _words(value.value)
    return bool(told) and told <= _words(value.quote)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(fold_accents(text.casefold())))
