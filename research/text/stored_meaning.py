"""Vectors from an embedder, stored under the content of the texts."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from sqlalchemy import text as sql_text
from sqlalchemy.orm import Session

from core.database import Database
from core.errors import EmbeddingError
from core.llm.embeddings import Embedder, Vectors, stored_dimensions
from core.tracing.log import get_logger
from research.text.language import split_sentences
from research.text.meaning import Vector, common_sentences

# Store vectors under the content of their texts, so that none is embedded twice. `supabase/embeddings.sql` makes
# the tables.


log = get_logger(__name__)
_LOAD = sql_text(
    "select content, vector_send(vector) as vector from embeddings.passage_embeddings"
    " where model = :model and content = any(:contents)"
)
_SAVE = sql_text(
    "insert into embeddings.passage_embeddings (content, model, dimensions, vector)"
    " values (:content, :model, :dimensions, cast(:vector as vector)) on conflict do nothing"
)
_FORGET_OTHERS = sql_text(
    "delete from embeddings.passage_embeddings e using embeddings.passage_texts t"
    " where t.document_id = :document_id and e.content = t.content and e.model <> :model"
)
_IN_REPORT = sql_text(
    "insert into embeddings.passage_texts (content, report_id)"
    " select content, :report_id from unnest(cast(:contents as bytea[])) as given(content) on conflict do nothing"
)
_IN_LIBRARY = sql_text(
    "insert into embeddings.passage_texts (content, document_id, position, part)"
    " values (:content, :document_id, :position, :part)"
    " on conflict (document_id, position, part) do update set content = excluded.content"
)


@dataclass(frozen=True)
class VectorStore:
    """Reads and writes vectors in a session of the caller."""

    session: Session
    #: The embedder's content id.
    model: str

    def load(self, contents: Collection[bytes]) -> dict[bytes, Vector]:
        """Return the stored vectors."""
        rows = self.session.execute(_LOAD, {"model": self.model, "contents": list(contents)})
        return {bytes(row.content): vector_of(row.vector) for row in rows}

    def save(self, vectors: Mapping[bytes, Vector]) -> None:
        """Store vectors; existing ones are kept."""
        rows = [
            {"content": key, "model": self.model, "dimensions": len(vector), "vector": vector_literal(vector)}
            for key, vector in sorted(vectors.items())
        ]
        if rows:
            self.session.execute(_SAVE, rows)

    def forget_others(self, document_id: uuid.UUID) -> None:
        """Delete the vectors of a document's passages that other embedders made."""
        self.session.execute(_FORGET_OTHERS, {"model": self.model, "document_id": document_id})

    def use_in_report(self, report_id: uuid.UUID, contents: Iterable[bytes]) -> None:
        """Keep the vectors of these texts for as long as the report."""
        self.session.execute(_IN_REPORT, {"report_id": report_id, "contents": sorted(set(contents))})

    def use_in_library(self, document_id: uuid.UUID, position: int, contents: Sequence[bytes]) -> None:
        """Keep the vectors of a passage's parts for as long as the passage."""
        rows = [
            {"content": content, "document_id": document_id, "position": position, "part": part}
            for part, content in enumerate(contents)
        ]
        self.session.execute(_IN_LIBRARY, rows)


@dataclass
class StoredMeaning:
    """See `Meaning`. If the embedder fails, that is logged and only words are compared."""

    database: Database
    embedder: Embedder
    #: The report with which the vectors of its texts are deleted; None: they are not stored.
    report_id: uuid.UUID | None = None
    #: Vectors requested before, by content.
    _known: dict[bytes, Vector] = field(default_factory=dict, init=False, repr=False)

    def of_questions(self, questions: Sequence[str]) -> Vectors | None:
        """See `Meaning.of_questions`. A person's questions are not stored."""
        return self._of(questions, "question\n")

    def of_texts(self, texts: Sequence[str]) -> Vectors | None:
        """See `Meaning.of_texts`."""
        return self._of(texts, "")

    def _of(self, texts: Sequence[str], prefix: str) -> Vectors | None:
        by_key = {content_of(prefix + text): text for text in texts}
        is_common = _is_common(texts)
        known = _common_vectors(self.embedder.content_id) if is_common else self._known
        new = [key for key in by_key if key not in known]
        if new:
            is_stored = is_common or not prefix
            if is_stored:
                with self.database.reading() as session:
                    known |= VectorStore(session, self.embedder.content_id).load(new)
            embed = self.embedder.questions if prefix else self.embedder.texts
            missing = [key for key in new if key not in known]
            try:
                found = dict(zip(missing, embed([by_key[key] for key in missing]), strict=True))
            except EmbeddingError as error:
                log.warning("meaning_not_computed", code=error.code, detail=error.detail)
                return None
            known |= found
            in_report = None if is_common or prefix else self.report_id
            if is_common or in_report is not None:
                with self.database.session() as session:
                    store = VectorStore(session, self.embedder.content_id)
                    store.save(found)
                    if in_report is not None:
                        store.use_in_report(in_report, new)
        rows = [known[content_of(prefix + text)] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.embedder.dimensions)


@cache
def _common_vectors(model: str) -> dict[bytes, Vector]:
    """The vectors of the neutral sentences by this embedder that this process has had: they never change."""
    return {}


def open_stored(
    database: Database, embedder: Embedder, report_id: uuid.UUID | None = None
) -> StoredMeaning | None:
    """Return the meaning of texts, with or without a report.

    None without an embedder, or if the database cannot store vectors of its length: only words are compared.
    """
    with database.reading() as session:
        fits = 0 < embedder.dimensions == stored_dimensions(session)
    return StoredMeaning(database, embedder, report_id) if fits else None


def vector_of(sent: bytes) -> Vector:
    """Return a vector from pgvector's binary form: two 16-bit integers, then big-endian floats."""
    return np.frombuffer(sent, dtype=">f4", offset=4).astype(np.float32)


def vector_literal(vector: Vector) -> str:
    """Return a vector in pgvector's text form; nine digits are exact for a 32-bit float."""
    return "[" + ",".join(f"{number:.9g}" for number in vector.tolist()) + "]"


def texts_to_embed(title: str, heading: str | None, text: str, language: str) -> list[str]:
    """Return the texts to embed for a passage: the whole with title and heading, then each sentence."""
    whole = ". ".join(part for part in (title.strip(), (heading or "").strip(), text.strip()) if part)
    return [whole, *(text[start:end] for start, end in split_sentences(text, language))]


def content_of(text: str) -> bytes:
    """Return the key that a text's vector is stored under."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _is_common(texts: Sequence[str]) -> bool:
    """Return whether these are the neutral sentences, whose vectors are stored permanently."""
    return list(texts) in (common_sentences("questions"), common_sentences("texts"))
