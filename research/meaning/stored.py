"""Meaning by an embedder whose vectors are stored, so that no text is embedded twice."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from core.database import Database
from core.embeddings import Embedder, Vectors
from core.embeddings.schema import stored_dimensions
from core.errors import EmbeddingError
from core.log import get_logger
from research.meaning.meaning import Meaning, NoMeaning, Vector, common_ground
from research.meaning.store import VectorStore, content_of

log = get_logger(__name__)
#: Texts that are embedded and stored at a time.
_BATCH = 128


def open_meaning(database: Database, embedder: Embedder, report_id: uuid.UUID | None = None) -> Meaning:
    """Return the meaning of texts for a report, whose vectors are kept as long as it; None: they are not kept.

    Without an embedder, or where the database stores no vectors of its length, words alone decide.
    """
    return open_stored(database, embedder, report_id) or NoMeaning()


def open_stored(
    database: Database, embedder: Embedder, report_id: uuid.UUID | None = None
) -> StoredMeaning | None:
    """Return the meaning of texts as `open_meaning` does; None where words alone decide."""
    if not embedder.dimensions:
        return None
    with database.session() as session:
        fits = stored_dimensions(session) == embedder.dimensions
    return StoredMeaning(database, embedder, report_id) if fits else None


@dataclass
class StoredMeaning:
    """See `Meaning`. An embedder that fails is logged and leaves the texts to their words."""

    database: Database
    embedder: Embedder
    report_id: uuid.UUID | None = None
    #: What was asked for before, by content.
    _known: dict[bytes, Vector] = field(default_factory=dict, init=False, repr=False)

    def of_questions(self, questions: Sequence[str]) -> Vectors | None:
        """See `Meaning.of_questions`. A person's questions are not stored."""
        keys = [content_of(f"question\n{question}") for question in questions]
        return self._of(dict(zip(keys, questions, strict=True)), keys, _is_common(questions), asked=True)

    def of_texts(self, texts: Sequence[str]) -> Vectors | None:
        """See `Meaning.of_texts`."""
        keys = [content_of(text) for text in texts]
        is_kept = self.report_id is not None or _is_common(texts)
        return self._of(dict(zip(keys, texts, strict=True)), keys, is_kept, asked=False)

    def _of(self, by_key: dict[bytes, str], keys: list[bytes], is_kept: bool, asked: bool) -> Vectors | None:
        new = [key for key in by_key if key not in self._known]
        if new:
            with self._store() as store:
                self._known |= store.load(new)
        embed = self.embedder.questions if asked else self.embedder.texts
        missing = [key for key in new if key not in self._known]
        try:
            for start in range(0, len(missing), _BATCH):
                batch = missing[start : start + _BATCH]
                found = dict(zip(batch, embed([by_key[key] for key in batch]), strict=True))
                self._known |= found
                if is_kept:
                    with self._store() as store:
                        store.save(found)
        except EmbeddingError as error:
            log.warning("meaning_not_computed", code=error.code, detail=error.detail)
            return None
        if self.report_id is not None and not asked and new:
            with self._store() as store:
                store.use_in_report(self.report_id, new)
        rows = [self._known[key] for key in keys]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.embedder.dimensions)

    @contextmanager
    def _store(self) -> Iterator[VectorStore]:
        with self.database.session() as session:
            yield VectorStore(session, self.embedder.content_id)


def _is_common(texts: Sequence[str]) -> bool:
    """Whether these are sentences of no subject, whose vectors are stored for good."""
    return any(list(texts) == list(told) for ground in common_ground().values() for told in ground.values())
