"""Split text into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sentencex import get_sentence_boundaries

_LINE = re.compile(r"[^\n]*\n?")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
#: An enumerator such as "1." or "b)", which belongs to the sentence after it.
_ENUMERATOR = re.compile(r"(?:\(?\d{1,3}|\(?[a-zA-Z])[.)]\s*")
#: A text without the white space around it.
_INK = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_ENDS_SENTENCE = re.compile(r"[.!?:;…]['\"»”’)\]]*\s*$")


def split_sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Return (start, end) of each sentence in `text`, without surrounding white space; no span is empty.

    A line ended by the author (a heading, a list item) ends a sentence; a line wrapped at full width does not.
    """
    code = "es" if language[:2] == "es" else "en"
    spans: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        for one in get_sentence_boundaries(code, text[start:end]):
            begin, stop = start + one["start_index"], start + one["end_index"]
            if begin > start and spans and _goes_on(text[slice(*spans[-1])], text[begin:stop]):
                spans[-1] = (spans[-1][0], stop)
            else:
                spans.append((begin, stop))
    return [match.span() for start, end in spans if (match := _INK.search(text, start, end))]


def _goes_on(before: str, after: str) -> bool:
    """Return whether a sentence was split after an abbreviation or an enumerator."""
    if "\n\n" in before or not after.strip():
        return False
    return bool(_ENUMERATOR.fullmatch(before)) or (before.rstrip().endswith(".") and after.lstrip()[:1].islower())


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches between blank lines and lines ended by the author."""
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
    """Return whether the author ended the line: the next word would have fitted and looks like a beginning."""
    first = following.partition(" ")[0]
    if not line or not first or _ENDS_SENTENCE.search(line):
        return False
    begins = not first[:1].islower() and first[:1] not in "([\"'“«"
    return begins and len(line) + 1 + len(first) < 0.85 * width
