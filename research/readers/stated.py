"""Tell whether words name a kind of fact, such as costs or hours, and whether a text states one of that kind."""

from __future__ import annotations

from functools import cache

from research.questions.field_names import field_words
from research.readers.vocabulary import FieldKind, field_kinds, folded


def states(text: str, topic: str) -> bool:
    """Return whether a text states what a topic asks for, such as an amount of money for "costs"."""
    kind = _kind_of(field_words(topic))[1]
    return kind is not None and kind.stated.search(folded(text)) is not None


def is_label(words: str) -> bool:
    """Return whether most of the words name a kind of fact: "Opening hours", "CUÁNTO CUESTA"."""
    return 2 * _kind_of(words)[0] > len(words.split())


@cache
def _kind_of(label: str) -> tuple[int, FieldKind | None]:
    """Return the kind that most words of a label name, with their number; 0 and None if they name none."""
    plain = folded(label)
    scored = [(sum(len(one[0].split()) for one in kind.labels.finditer(plain)), kind) for kind in field_kinds()]
    most, kind = max(scored, key=lambda pair: pair[0])
    return most, kind if most else None
