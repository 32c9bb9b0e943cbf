"""Leave names out of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipeline.extraction.values.text import plain

_WORD = re.compile(r"[^\W\d_]+")
#: What stands for a name, however long it was.
BLANK = "____"
#: A shorter part of a name is as a rule an initial or a particle, and stands in any text.
_SHORTEST = 3


def without_names(text: str, names: Iterable[str]) -> str:
    """Return the text with every capitalised word blanked that is a part of one of the names.

    Case and accents make no difference, so that "Ramon" is blanked for "Ramón". Parts of fewer than three letters
    stay.
    """
    parts = {plain(word) for name in names for word in _WORD.findall(name) if len(word) >= _SHORTEST}

    def blanked(match: re.Match[str]) -> str:
        word = match.group()
        return BLANK if word[0].isupper() and plain(word) in parts else word

    return _WORD.sub(blanked, text) if parts else text
