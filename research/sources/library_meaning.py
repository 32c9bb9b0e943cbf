"""Passages of the library by their meaning: lists of the nearest ones, and the nearness of single passages."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from sqlalchemy import text
from sqlalchemy.orm import Session

from research.meaning.meaning import Languages, Vector
from research.meaning.nearness import nearness_of
from research.meaning.store import StoredMeaning, as_text, vector_of
from research.text import detect_language

#: Document and position of a passage.
Place = tuple[uuid.UUID, int]

_PARTS = """
    from library_passages p
    join library_documents d on d.id = p.document_id and d.status = 'ready'
    join embeddings.passage_texts t on t.document_id = p.document_id and t.position = p.position
    join embeddings.passage_embeddings e on e.content = t.content and e.model = :model
"""
_MEANS = text(
    f"select p.language, count(*) as number, vector_send(avg(e.vector)) as mean {_PARTS}"  # nosec B608 - constants
    " where t.part = 0 group by p.language"
)
_NEAREST = text(
    f"select p.document_id, p.position {_PARTS}"  # nosec B608 - constants
    " where t.part = 0 and p.language = :language and (cast(:kind as text) is null or d.kind = :kind)"
    " order by l2_normalize(e.vector - cast(:mean as vector)) <#> cast(:asked as vector), d.sha256, p.position"
    " limit :limit"
)
_OF_PASSAGES = text(
    f"select p.document_id, p.position, p.language, vector_send(e.vector) as vector {_PARTS}"  # nosec B608 - constants
    " join unnest(cast(:documents as uuid[]), cast(:positions as integer[])) as wanted(document_id, position)"
    "   on wanted.document_id = p.document_id and wanted.position = p.position"
    " order by p.document_id, p.position, t.part"
)


@dataclass(frozen=True)
class Question:
    """A question to the library's vectors."""

    session: Session
    #: The embedder's content id.
    model: str
    vector: Vector
    languages: Languages

    @classmethod
    def of(cls, session: Session, meaning: StoredMeaning | None, question: str) -> Question | None:
        """Return the question with its vector; None if words alone decide: no vectors yet, or no embedder."""
        if meaning is None:
            return None
        model = meaning.embedder.content_id
        rows = session.execute(_MEANS, {"model": model}).all()
        asked = meaning.of_questions([question]) if rows else None
        languages = Languages.by(meaning) if asked is not None else None
        if asked is None or languages is None:
            return None
        vector = languages.question(asked[0], detect_language(question))
        return cls(
            session, model, vector, languages.among({r.language: (r.number, vector_of(r.mean)) for r in rows})
        )

    def nearest(self, kind: str | None, most: int) -> list[list[Place]]:
        """Return for each language its passages nearest to the question, nearest first."""
        asked = {"model": self.model, "asked": as_text(self.vector), "kind": kind, "limit": most}
        rows = (
            self.session.execute(_NEAREST, {**asked, "language": language, "mean": as_text(mean)})
            for language, mean in sorted(self.languages.texts.items())
        )
        return [[(row.document_id, row.position) for row in found] for found in rows]

    def nearness(self, places: Collection[Place]) -> dict[Place, float]:
        """Return how near passages are, each whole and by its nearest sentences: -2 to 2, about 0 if unrelated."""
        documents, positions = [str(document) for document, _ in places], [position for _, position in places]
        rows = self.session.execute(
            _OF_PASSAGES, {"model": self.model, "documents": documents, "positions": positions}
        )
        found = {}
        for place, parts in groupby(rows, key=lambda row: (row.document_id, row.position)):
            several = list(parts)
            vectors = np.array([vector_of(row.vector) for row in several])
            told = self.languages.without(vectors, [row.language for row in several])
            found[place] = nearness_of(self.vector, told[0], told[1:])
        return found
