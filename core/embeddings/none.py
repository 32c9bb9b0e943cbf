"""No embedder: words alone decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from core.embeddings.embedder import Vectors


class NoEmbedder:
    """The provider named "none": vectors without numbers."""

    name: ClassVar[str] = "none"
    dimensions = 0
    content_id = "none"

    def texts(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.texts`."""
        return np.empty((len(texts), 0), dtype=np.float32)

    def questions(self, questions: Sequence[str]) -> Vectors:
        """See `Embedder.questions`."""
        return self.texts(questions)
