"""Vectors of the bundled model, computed once for all test processes: tests ask for those of the same texts."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from core.llm.embeddings import LocalEmbedder, Vectors
from tests.support.services import shared_var_dir

Encode = Callable[[LocalEmbedder, Sequence[str], bool], Vectors]
#: The model itself, for the tests of what it computes.
computed: Encode = LocalEmbedder._encoded


def share_vectors() -> None:
    """Have this process, and those forked from it, keep each vector beside the servers that all tests share."""
    LocalEmbedder._encoded = _encoded  # type: ignore[method-assign]


def _encoded(embedder: LocalEmbedder, texts: Sequence[str], is_query: bool) -> Vectors:
    folder = shared_var_dir() / "vectors" / embedder.content_id.replace(":", "-")
    folder.mkdir(parents=True, exist_ok=True)
    places = {text: folder / hashlib.sha256(f"{is_query} {text}".encode()).hexdigest() for text in texts}
    missing = [text for text, place in places.items() if not place.exists()]
    for text, vector in zip(missing, computed(embedder, missing, is_query), strict=True):
        _write(places[text], vector.tobytes())
    found = np.frombuffer(b"".join(places[text].read_bytes() for text in texts), dtype=np.float32)
    return found.reshape(len(texts), embedder.dimensions).copy()


def _write(place: Path, data: bytes) -> None:
    """Whole or not at all: processes are killed while they write."""
    unfinished = place.with_name(f"{place.name}.{os.getpid()}.{threading.get_ident()}")
    unfinished.write_bytes(data)
    unfinished.replace(place)
