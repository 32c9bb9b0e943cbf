"""What researchers ask of an embedder: vectors of questions and of texts, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

#: A normalised vector; all of one meaning have the same length.
Vector = Sequence[float]


class Meaning(Protocol):
    """Vectors of texts. They are compared by their product; ranks count, not thresholds."""

    def of_questions(self, questions: Sequence[str]) -> Sequence[Vector] | None:
        """Return a vector per question, or None if there is no embedder."""
        ...

    def of_texts(self, texts: Sequence[str]) -> Sequence[Vector] | None:
        """Return a vector per text, from the store where it was computed before; None if there is no embedder."""
        ...


@dataclass(frozen=True)
class NoMeaning:
    """Without an embedder: words alone decide."""

    def of_questions(self, questions: Sequence[str]) -> Sequence[Vector] | None:
        """Return None."""
        return None

    def of_texts(self, texts: Sequence[str]) -> Sequence[Vector] | None:
        """Return None."""
        return None
