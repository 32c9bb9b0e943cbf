"""A text cut into passages that follow each other without a gap: at paragraphs, a long one at its sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from research.sources.base import Passage

#: Characters that a passage comes close to.
TARGET = 800
BREAK = "\n\n"

#: After a sentence: its mark, what closes it, and the space behind.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s+")
_SPACE = re.compile(r"\s+")
#: Where a word may be broken, and what joins: nobody sees them, and no quotation has them.
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))

#: A paragraph and the page that it stands on.
Paragraph = tuple[str, int | None]


def passages_of(paragraphs: Iterable[Paragraph]) -> tuple[Passage, ...]:
    """Passages of one page each; nothing for paragraphs that say nothing."""
    said = [(text, page) for raw, page in paragraphs if (text := clean(raw))]
    pieces = [
        (piece, page) for index, (text, page) in enumerate(said) for piece in _pieces(text, index, len(said))
    ]
    passages: list[Passage] = []
    start = 0
    for text, page in _merged(pieces):
        passages.append(Passage(text, start, start + len(text), page))
        start += len(text)
    return tuple(passages)


def clean(text: str) -> str:
    """Composed (NFC), on lines without white space at their ends, and without what no database keeps."""
    composed = unicodedata.normalize("NFC", text).translate(_UNSEEN)
    lines = (" ".join(_kept(line).split()) for line in composed.splitlines())
    return "\n".join(line for line in lines if line)


def _kept(line: str) -> str:
    """Without control characters, halves of characters and what no alphabet has."""
    if line.isprintable():
        return line
    return "".join(" " if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn") else char for char in line)


def _pieces(text: str, index: int, count: int) -> Iterator[str]:
    whole = text + (BREAK if index < count - 1 else "")
    start = 0
    while len(whole) - start > TARGET * 5 // 4:
        end = _cut(whole, start)
        yield whole[start:end]
        start = end
    yield whole[start:]


def _cut(text: str, start: int) -> int:
    """Where a piece of a long text ends: behind a sentence, else behind a word."""
    for pattern in (_SENTENCE_END, _SPACE):
        ends = [found.end() for found in pattern.finditer(text, start, start + TARGET)]
        if ends and ends[-1] - start >= TARGET // 4:
            return ends[-1]
    return start + TARGET


def _merged(pieces: Iterable[Paragraph]) -> Iterator[Paragraph]:
    held, on = "", None
    for text, page in pieces:
        if held and (page != on or len(held) + len(text) > TARGET):
            yield held, on
            held = ""
        held, on = held + text, page
    if held:
        yield held, on
