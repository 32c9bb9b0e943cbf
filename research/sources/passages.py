"""Split a text into contiguous passages: at paragraphs, and a long paragraph at its sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from research.sources.base import Passage

#: Target length of a passage in characters.
TARGET = 800
BREAK = "\n\n"

#: The end of a sentence: its mark, closing quotes or brackets, and white space.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s+")
_SPACE = re.compile(r"\s+")
#: Soft hyphens and zero-width characters: invisible, so quotations do not contain them.
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))

#: The text of a paragraph and its page number.
Paragraph = tuple[str, int | None]


def passages_of(paragraphs: Iterable[str | Paragraph]) -> tuple[Passage, ...]:
    """Return passages, each from one page; blank paragraphs are dropped."""
    given = ((one, None) if isinstance(one, str) else one for one in paragraphs)
    said = [(text, page) for raw, page in given if (text := clean(raw))]
    passages: list[Passage] = []
    start, held, on = 0, "", None
    for index, (text, page) in enumerate(said):
        for piece in _pieces(text + BREAK if index < len(said) - 1 else text):
            if held and (page != on or len(held) + len(piece) > TARGET):
                passages.append(Passage(held, start, start + len(held), on))
                start, held = start + len(held), ""
            held, on = held + piece, page
    return (*passages, Passage(held, start, start + len(held), on)) if held else ()


def clean(text: str) -> str:
    """Normalise to NFC, collapse white space in lines, drop blank lines and unprintable characters."""
    composed = unicodedata.normalize("NFC", text).translate(_UNSEEN)
    lines = (" ".join(_kept(line).split()) for line in composed.splitlines())
    return "\n".join(line for line in lines if line)


def _kept(line: str) -> str:
    """Replace control characters, surrogates, private-use and unassigned code points by spaces."""
    if line.isprintable():
        return line
    return "".join(" " if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn") else char for char in line)


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > TARGET * 5 // 4:
        end = _cut(text, start)
        yield text[start:end]
        start = end
    yield text[start:]


def _cut(text: str, start: int) -> int:
    """Return where the next piece ends: after a sentence, else after a word, else at `TARGET` characters."""
    for pattern in (_SENTENCE_END, _SPACE):
        ends = [found.end() for found in pattern.finditer(text, start, start + TARGET)]
        if ends and ends[-1] - start >= TARGET // 4:
            return ends[-1]
    return start + TARGET
