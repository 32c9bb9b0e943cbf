"""What an embedder gives; each provider is one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

#: A normalised vector a row.
Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts and questions into vectors; the nearer a text is to a question, the larger their product."""

    #: As in EMBEDDINGS_PROVIDER.
    name: ClassVar[str]

    @property
    def dimensions(self) -> int:
        """Numbers of a vector; 0: there are no vectors, and words alone decide."""
        ...

    @property
    def content_id(self) -> str:
        """Name of exactly this model, stored with its vectors: other model files or settings have another one.

        Computed when first asked for.
        """
        ...

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Return a vector per text; an empty text has one too. Raises EmbeddingError."""
        ...

    def questions(self, questions: Sequence[str]) -> Vectors:
        """Return a vector per question. Raises EmbeddingError."""
        ...
