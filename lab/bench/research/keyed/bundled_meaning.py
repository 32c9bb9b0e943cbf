"""The meaning of texts by the bundled embedder, held in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from core.llm.embeddings import Embedder, LocalEmbedder, Vectors, is_installed
from research.text.meaning import Meaning, NoMeaning


@cache
def bundled_meaning() -> Meaning:
    """Return the meaning that a fresh machine has; words alone where the bundled embedder is not installed."""
    return _InMemory(LocalEmbedder(2)) if is_installed() else NoMeaning()


@dataclass
class _InMemory:
    embedder: Embedder
    _known: dict[tuple[bool, str], np.ndarray] = field(default_factory=dict)

    def of_questions(self, questions: Sequence[str]) -> Vectors:
        """See `Meaning.of_questions`."""
        return self._of(questions, self.embedder.questions, asked=True)

    def of_texts(self, texts: Sequence[str]) -> Vectors:
        """See `Meaning.of_texts`."""
        return self._of(texts, self.embedder.texts, asked=False)

    def _of(self, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors], *, asked: bool) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if (asked, text) not in self._known]
        self._known |= {(asked, text): vector for text, vector in zip(missing, embed(missing), strict=True)}
        rows = [self._known[asked, text] for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.embedder.dimensions), dtype=np.float32)
