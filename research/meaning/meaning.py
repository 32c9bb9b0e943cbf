"""What is asked of an embedder: vectors of questions and of texts, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.embeddings import Vectors


class Meaning(Protocol):
    """Vectors of texts as the embedder gives them, with what their language adds; see `languages`."""

    def of_questions(self, questions: Sequence[str]) -> Vectors | None:
        """Return a vector per question, or None if there is no embedder or it fails."""
        ...

    def of_texts(self, texts: Sequence[str]) -> Vectors | None:
        """Return a vector per text, stored ones where there are; None if there is no embedder or it fails."""
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
