"""What is asked of an embedder: vectors of questions and of texts, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

#: A normalised vector a row.
Vectors = NDArray[np.float32]


class Meaning(Protocol):
    """Vectors of texts. They are compared by their product; ranks count more than thresholds."""

    def of_questions(self, questions: Sequence[str]) -> Vectors | None:
        """Return a vector per question, or None if there is no embedder."""
        ...

    def of_texts(self, texts: Sequence[str]) -> Vectors | None:
        """Return a vector per text, from the store where it was computed before; None if there is no embedder."""
        ...


@dataclass(frozen=True)
class NoMeaning:
    """Without an embedder: words alone decide."""

    def of_questions(self, questions: Sequence[str]) -> Vectors | None:
        """Return None."""
        return None

    def of_texts(self, texts: Sequence[str]) -> Vectors | None:
        """Return None."""
        return None
