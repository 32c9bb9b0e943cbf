"""Where sentences begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sentencex import get_sentence_boundaries

_LANGUAGES = {"en": "en", "es": "es"}
_LINE = re.compile(r"[^\n]*\n?")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
#: "1." or "b)" alone: what follows is its sentence.
_ENUMERATOR = re.compile(r"(?:\(?\d{1,3}|\(?[a-zA-Z])[.)]\s*")
#: All from the first to the last character that is no white space.
_INK = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_ENDS_SENTENCE = re.compile(r"[.!?:;…]['\"»”’)\]]*\s*$")


def split_sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Start and end of each sentence in `text`, without the white space around it; none is empty.

    A line that an author ended (a heading, a list item) ends a sentence; a line that was merely full does not.
    """
    found = [
        span
        for start, end in _blocks(text)
        for span in _joined(text, _boundaries(text, start, end, _LANGUAGES.get(language[:2], "en")))
    ]
    return [match.span() for start, end in found if (match := _INK.search(text, start, end))]


def _boundaries(text: str, start: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    for boundary in get_sentence_boundaries(language, text[start:end]):
        yield start + boundary["start_index"], start + boundary["end_index"]


def _joined(text: str, spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans, with those put together that an abbreviation or the number of an item cut in two."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and _goes_on(text[joined[-1][0] : joined[-1][1]], text[start:end]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _goes_on(before: str, after: str) -> bool:
    if "\n\n" in before or not after.strip():
        return False
    return bool(_ENUMERATOR.fullmatch(before)) or (before.rstrip().endswith(".") and after.lstrip()[:1].islower())


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between blank lines and between lines that an author ended."""
    at = 0
    for gap in [*_PARAGRAPH.finditer(text), None]:
        end = gap.start() if gap else len(text)
        yield from _author_lines(text, at, end)
        at = gap.end() if gap else end


def _author_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    lines = [(match.start(), match.end()) for match in _LINE.finditer(text, start, end) if match[0]]
    width = max((stop - begin for begin, stop in lines), default=0)
    at = start
    for (begin, stop), (following, following_end) in pairwise(lines):
        if _was_ended(text[begin:stop].strip(), text[following:following_end].strip(), width):
            yield at, stop
            at = stop
    yield at, end


def _was_ended(line: str, following: str, width: int) -> bool:
    """Whether the next word would have had room in the line, and looks like a beginning."""
    first = following.partition(" ")[0]
    if not line or not first or _ENDS_SENTENCE.search(line):
        return False
    begins = not first[:1].islower() and first[:1] not in "([\"'“«"
    return begins and len(line) + 1 + len(first) < 0.85 * width
