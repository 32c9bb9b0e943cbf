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


def passages_of(paragraphs: Iterable[Paragraph]) -> tuple[Passage, ...]:
    """Return passages, each from one page; blank paragraphs are dropped."""
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
    """Normalise to NFC, collapse white space in lines, drop blank lines and unprintable characters."""
    composed = unicodedata.normalize("NFC", text).translate(_UNSEEN)
    lines = (" ".join(_kept(line).split()) for line in composed.splitlines())
    return "\n".join(line for line in lines if line)


def _kept(line: str) -> str:
    """Replace control characters, surrogates, private-use and unassigned code points by spaces."""
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
    """Return where the next piece ends: after a sentence, else after a word, else at `TARGET` characters."""
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
