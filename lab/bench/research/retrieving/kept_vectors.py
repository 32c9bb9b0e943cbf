"""Vectors kept from one run of the benchmark to the next, by content: only new texts are embedded."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import numpy as np
from sqlalchemy import text

from core.database import Database
from research.text.stored_meaning import VectorStore, vector_of


def put_back(database: Database, model: str) -> None:
    """Store what an earlier run has kept of this embedder's vectors."""
    path = _path(model)
    if path.exists():
        with np.load(path) as kept, database.session() as session:
            VectorStore(session, model).save(
                {bytes(key): vector for key, vector in zip(kept["contents"], kept["vectors"], strict=True)}
            )


def keep(database: Database, model: str) -> None:
    """Keep all vectors of this embedder for the next run."""
    with database.session() as session:
        rows = session.execute(
            text(
                "select content, vector_send(vector) as sent from embeddings.passage_embeddings where model = :m"
            ),
            {"m": model},
        ).all()
    found = {bytes(row.content): vector_of(row.sent) for row in rows}
    path = _path(model)
    if path.exists():
        with np.load(path) as kept:
            found |= dict(zip(map(bytes, kept["contents"]), kept["vectors"], strict=True))
    contents = np.array([np.frombuffer(key, dtype=np.uint8) for key in found])
    np.savez(path, contents=contents, vectors=np.array(list(found.values())))


def _path(model: str) -> Path:
    name = hashlib.sha256(model.encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"second-reader-bench-vectors-{name}.npz"
