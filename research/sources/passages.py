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
#: What may stand between two cells of a line.
_GAP = re.compile(r"\s*\t\s*|\s{2,}")
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
    """Normalise to NFC, collapse white space in lines, drop blank lines and unprintable characters.

    A tab stays between the columns of adjacent lines: where they are set with tabs, or begin a cell at one place.
    """
    composed = unicodedata.normalize("NFC", text).translate(_UNSEEN)
    lines = [kept for line in composed.splitlines() if (kept := _kept(line).strip())]
    begins = [{"\t" if "\t" in gap[0] else gap.end() for gap in _GAP.finditer(line)} for line in lines]
    beside = zip([set(), *begins], [*begins[1:], set()], strict=False)
    cells = [
        _GAP.split(line) if own & (before | after) else [line]
        for line, own, (before, after) in zip(lines, begins, beside, strict=False)
    ]
    return "\n".join("\t".join(" ".join(cell.split()) for cell in row) for row in cells)


def _kept(line: str) -> str:
    """Replace control characters but tabs, surrogates, private-use and unassigned code points by spaces."""
    if line.isprintable():
        return line
    gone = ("Cc", "Cs", "Co", "Cn")
    return "".join(" " if char != "\t" and unicodedata.category(char) in gone else char for char in line)


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
