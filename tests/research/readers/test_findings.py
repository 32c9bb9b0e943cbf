"""Sentences that answer a question by their words, and by meaning where there is an embedder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from research.document import Reference
from research.material import SourceText
from research.meaning.meaning import Vectors
from research.readers.findings import read_for
from research.sources.passages import passages_of

_TEXT = (
    "A card costs fifteen pounds a year for every household in the town.\n\n"
    "Newcomers borrow the large ladder more often than any other thing.\n\n"
    "The river rose in March and the hall had to be cleaned twice."
)
SOURCES = {"shed": SourceText(Reference(key="shed", title="Shed"), "x", passages_of([(_TEXT, None)]))}


class Ladders:
    """Knows one meaning: that of ladders and steps."""

    def of_questions(self, questions: Sequence[str]) -> Vectors:
        return self.of_texts(questions)

    def of_texts(self, texts: Sequence[str]) -> Vectors:
        known = [[1.0, 0.0] if "ladder" in text or "steps" in text else [0.0, 1.0] for text in texts]
        return np.array(known, dtype=np.float32)


def test_by_words() -> None:
    (best, *_) = read_for("What does a card cost a household for a year?", SOURCES)
    assert best.quote.startswith("A card costs fifteen pounds")
    assert SOURCES["shed"].text[best.start_char : best.end_char] == best.quote


def test_by_meaning_too() -> None:
    question = "Who takes the folding steps home?"
    assert read_for(question, SOURCES) == []
    assert [one.quote.split()[0] for one in read_for(question, SOURCES, Ladders())] == ["Newcomers"]
