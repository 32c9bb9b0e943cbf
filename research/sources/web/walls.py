"""Recognise pages that show a login wall, a notice or a CAPTCHA instead of their content."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files
from itertools import chain

#: Fewest words of a text without a complete sentence.
ENOUGH_WORDS = 20
#: Fewest words of a sentence; menus and forms have none.
_SENTENCE_WORDS = 5
#: Most characters of a notice; a longer paragraph that matches is taken for content.
_LONGEST_NOTICE = 400
#: Most characters of a page with a wall's title that counts as a wall; a longer one has content.
_LONGEST_WALL = 800

_DATA = tomllib.loads(files(__package__).joinpath("walls.toml").read_text(encoding="utf-8"))
_NOTICES, _TITLES = ("|".join(chain(*_DATA[name].values())).replace(" ", r"\s+") for name in ("notices", "titles"))
_WALL = re.compile(_NOTICES, re.IGNORECASE)
_WALL_TITLE = re.compile(_TITLES, re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]]*\s*$")


def is_notice(title: str, text: str) -> bool:
    """Return whether a page's title is that of a wall or an error and its text is short."""
    return len(text) <= _LONGEST_WALL and _WALL_TITLE.search(title) is not None


def says_something(paragraphs: Iterable[str]) -> bool:
    """Return whether a page has enough text apart from walls and notices."""
    words = 0
    for paragraph in paragraphs:
        if len(paragraph) <= _LONGEST_NOTICE and _WALL.search(paragraph):
            continue
        said = sum(1 for word in paragraph.split() if any(char.isalnum() for char in word))
        words += said
        if words >= ENOUGH_WORDS or (said >= _SENTENCE_WORDS and _SENTENCE.search(paragraph)):
            return True
    return False
