"""Put labelled words together to values: the name, the school, the grade, each with its probability."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.extraction.labelling.labeller import Labelled
from pipeline.extraction.labelling.lexicon import word_class
from pipeline.extraction.labelling.roles import Role
from pipeline.extraction.labelling.words import Gap
from pipeline.extraction.values.text import plain

#: Signs that may end a value; any other is left off.
_ENDINGS = (".", ")", '"', "”", "!")


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive words of one role."""

    role: Role
    words: tuple[Labelled, ...]
    #: The highest probability of the role for a word next to them.
    beside: float = 0.0

    @property
    def probability(self) -> float:
        """Probability (0-1) that the value is these words, by the least sure one: of them, or beside them."""
        return min(1 - self.beside, *(word.probability for word in self.words if word.role is self.role))

    @property
    def first_line(self) -> int:
        """Index of the line that it begins on."""
        return self.words[0].word.line

    @property
    def places(self) -> list[tuple[int, int, int]]:
        """(line, start, end) of its text on each of its lines."""
        found: dict[int, tuple[int, int]] = {}
        for labelled in self.words:
            word = labelled.word
            start, _ = found.get(word.line, (word.start, word.end))
            found[word.line] = start, word.end
        return [(line, start, end) for line, (start, end) in found.items()]

    def text(self, lines: Sequence[str]) -> str:
        """Its text, the lines joined by spaces."""
        return " ".join(lines[line][start:end] for line, start, end in self.places)


def spans_of(labelled: Iterable[Labelled], *roles: Role) -> list[Span]:
    """Return the values of these roles in reading order, without the signs around them."""
    said = list(labelled)
    found: list[list[int]] = []
    for at, word in enumerate(said):
        if word.role not in roles:
            continue
        before = said[at - 1] if at else None
        if before is not None and before.role == word.role and not word.begins:
            found[-1].append(at)
        elif before is not None and _opens(before, word):
            found.append([at - 1, at])
        else:
            found.append([at])
    return [
        Span(said[places[-1]].role, tuple(bare), _beside(said, places))
        for places in found
        if (bare := _without_signs([said[at] for at in places]))
    ]


def _beside(said: Sequence[Labelled], places: Sequence[int]) -> float:
    """Return the highest probability of the value's role for the next words, signs left out, on its two sides."""
    role = said[places[-1]].role
    sides = (reversed(said[: places[0]]), iter(said[places[-1] + 1 :]))
    next_words = [next((one for one in side if one.word.text[0].isalnum()), None) for side in sides]
    return max(
        (one.shares.get(role, 0.0) for one in next_words if one is not None and one.role is not role), default=0.0
    )


def _opens(before: Labelled, word: Labelled) -> bool:
    """Whether the word before a school ("Escuela", "Primaria"), without a colon, is the first of its name."""
    return (
        word.role is Role.SCHOOL
        and before.role is Role.LABEL
        and word.word.gap is Gap.SPACE
        and before.word.text[0].isupper()
        and word_class(plain(before.word.text)) == "school"
    )


def _without_signs(words: list[Labelled]) -> list[Labelled]:
    """Drop the signs before the first word, and those after the last that do not end a value."""
    said = [at for at, one in enumerate(words) if one.word.text[0].isalnum()]
    if not said:
        return []
    end = said[-1] + 1
    # The point of "Jr." is part of it, the full stop of a sentence was labelled as another role.
    if end < len(words) and words[end].word.text.startswith(_ENDINGS):
        end += 1
    start = said[0]
    if start and words[start - 1].word.text in ("(", '"', "“") and words[end - 1].word.text in (")", '"', "”"):
        start -= 1
    return words[start:end]


def parts_by_line(span: Span) -> list[Span]:
    """Return the span's words on each of its lines as spans of their own."""
    return [Span(span.role, tuple(words)) for _, words in groupby(span.words, lambda one: one.word.line)]


def header_end(labelled: Sequence[Labelled]) -> int:
    """Return the number of lines in front of the first one that belongs to the essay by most of its words."""
    counts: dict[int, list[int]] = {}
    for one in labelled:
        if one.word.text[0].isalnum():
            counts.setdefault(one.word.line, []).append(one.role is Role.BODY)
    essay = [line for line, body in counts.items() if 2 * sum(body) >= len(body)]
    return min(essay, default=max(counts, default=-1) + 1)
