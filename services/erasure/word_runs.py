"""Find text that was copied from another text, by runs of equal words."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: What stands where something was taken out.
WITHDRAWN = "[withdrawn]"
#: So many equal words in a row are a copy; a sentence with fewer words is one as a whole.
LEAST = 8
#: Shorter sentences are anybody's.
_SHORTEST = 4

#: `_` may be a mark of emphasis.
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"[^.!?…\n]+")


class WordRuns:
    """The runs of words of some texts; `without` takes copies of them out of another text.

    Case, punctuation and the space between words make no difference.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs: set[tuple[str, ...]] = set()
        for text in texts:
            words = _words(text)
            self._runs.update(tuple(words[at : at + LEAST]) for at in range(len(words) - LEAST + 1))
            for sentence in _SENTENCE.findall(text):
                short = _words(sentence)
                if _SHORTEST <= len(short) < LEAST:
                    self._runs.add(tuple(short))
        self._lengths = sorted({len(run) for run in self._runs}, reverse=True)

    def without(self, text: str) -> str:
        """Return the text with WITHDRAWN in place of each copy; the same text where there is none."""
        found = list(_WORD.finditer(text))
        words = [match.group().casefold() for match in found]
        copied = [False] * len(words)
        for length in self._lengths:
            for at in range(len(words) - length + 1):
                if tuple(words[at : at + length]) in self._runs:
                    copied[at : at + length] = [True] * length
        parts, end, at = [], 0, 0
        while at < len(words):
            if not copied[at]:
                at += 1
                continue
            last = at
            while last + 1 < len(words) and copied[last + 1]:
                last += 1
            parts += [text[end : found[at].start()], WITHDRAWN]
            end, at = found[last].end(), last + 1
        return "".join([*parts, text[end:]])


def _words(text: str) -> list[str]:
    return [match.group().casefold() for match in _WORD.finditer(text)]
