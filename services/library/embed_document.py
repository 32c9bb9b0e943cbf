"""Compute the vectors of a document's passages, behind other work; and queue documents that lack them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, exists, or_, select, text, update
from sqlalchemy.orm import Session

from core.embeddings import Embedder, open_embedder
from core.embeddings.schema import stored_dimensions
from core.errors import AppError
from core.lease import Lease
from core.models import EmbeddingStatus, LibraryDocument, LibraryPassage, LibraryStatus
from core.models.base import error_columns
from core.models.leases import DOCUMENT_LEASES
from core.queue import QUEUE_NAME, open_queue
from research.meaning.meaning import Languages
from research.meaning.store import StoredMeaning, VectorStore, content_of, parts_of
from services.context import Context
from services.recovery.kinds import MEANINGS
from services.recovery.work import keeping, take

#: Passages whose vectors are stored at a time.
_BATCH = 4
#: Columns of a document whose vectors are to be computed.
_TO_DO = {
    "embedding": EmbeddingStatus.QUEUED.value,
    "embedding_attempts": 0,
    "embedding_enqueued_at": None,
    "passages_embedded": 0,
}
_WITHOUT_VECTORS = text(
    "not exists (select from embeddings.passage_texts t where t.document_id = library_documents.id)"
)


def embedding_columns(context: Context) -> dict[str, Any]:
    """Return the columns of a document that was just read: its vectors wait, if there is an embedder."""
    if open_embedder(context.settings).dimensions:
        return _TO_DO
    return {"embedding": EmbeddingStatus.NONE.value}


def embed_document(context: Context, document_id: uuid.UUID) -> bool:
    """Compute and store the vectors of a document; return False if there was nothing to do.

    What is stored already is not computed again. Stops when the document is removed, and for other work that
    waits: the reconciler queues the rest. Raises EmbeddingError.
    """
    lease = take(context, MEANINGS, document_id)
    if lease is None:
        return False
    with keeping(context, lease):
        return _Embedding(context, lease, open_embedder(context.settings)).run()


def fail_embedding(context: Context, document_id: uuid.UUID, error: AppError) -> None:
    """Leave the document to its words, with the code of the error."""
    with context.database.session() as session:
        session.execute(
            update(LibraryDocument)
            .where(LibraryDocument.id == document_id, MEANINGS.due, DOCUMENT_LEASES.expired())
            .values(embedding=EmbeddingStatus.FAILED.value, **error_columns(error.told))
        )


def retry_embedding(context: Context, document_id: uuid.UUID) -> bool:
    """Let the vectors of a document be computed that could not be; return whether there is such a document."""
    with context.database.session() as session:
        won = session.scalar(
            update(LibraryDocument)
            .where(
                LibraryDocument.id == document_id,
                LibraryDocument.status == LibraryStatus.READY.value,
                LibraryDocument.embedding == EmbeddingStatus.FAILED.value,
            )
            .values(**_TO_DO, **error_columns(None))
            .returning(LibraryDocument.id)
        )
    return won is not None


def renew_embeddings(context: Context) -> int:
    """Queue the documents without vectors of the present embedder; return their number.

    That is all of them after a change of the embedder, and after a backup was restored, which holds no vectors.
    """
    embedder = open_embedder(context.settings)
    with context.database.session() as session:
        if not embedder.dimensions or stored_dimensions(session) != embedder.dimensions:
            return 0
        found = session.scalars(
            update(LibraryDocument)
            .where(
                LibraryDocument.status == LibraryStatus.READY.value,
                LibraryDocument.embedding.not_in([EmbeddingStatus.QUEUED.value, EmbeddingStatus.RUNNING.value]),
                exists().where(LibraryPassage.document_id == LibraryDocument.id),
                or_(
                    LibraryDocument.embedding != EmbeddingStatus.READY.value,
                    LibraryDocument.embedder.is_distinct_from(embedder.content_id),
                    _WITHOUT_VECTORS,
                ),
            )
            .values(**_TO_DO)
            .returning(LibraryDocument.id)
        ).all()
    return len(found)


@dataclass(frozen=True)
class _Embedding:
    context: Context
    lease: Lease[LibraryDocument]
    embedder: Embedder

    def run(self) -> bool:
        with self.context.database.session() as session:
            document = self.lease.hold(session)
            fits = 0 < self.embedder.dimensions == stored_dimensions(session)
            passages = session.execute(
                select(
                    LibraryPassage.position, LibraryPassage.heading, LibraryPassage.text, LibraryPassage.language
                )
                .where(LibraryPassage.document_id == document.id)
                .order_by(LibraryPassage.position)
            ).all()
        if not fits:
            return self._note(embedding=EmbeddingStatus.NONE.value, embedder=None)
        # So that no search has to wait for these.
        Languages.by(StoredMeaning(self.context.database, self.embedder))
        for start in range(0, len(passages), _BATCH):
            if start and self._others_wait():
                return self._note(embedding=EmbeddingStatus.QUEUED.value, embedding_enqueued_at=None)
            batch = passages[start : start + _BATCH]
            if not self._store(document.title, batch, start + len(batch), len(passages)):
                return False
        return self._finish()

    def _store(self, title: str, batch: Sequence[Row[int, str | None, str, str]], done: int, total: int) -> bool:
        """Store the vectors of some passages; return False if the document was removed meanwhile."""
        parts = {row.position: parts_of(title, row.heading, row.text, row.language) for row in batch}
        texts = {content_of(part): part for several in parts.values() for part in several}
        with self.context.database.session() as session:
            known = VectorStore(session, self.embedder.content_id).load(texts)
        missing = [content for content in texts if content not in known]
        vectors = self.embedder.texts([texts[content] for content in missing])
        with self.context.database.session() as session:
            # Something was done: attempts that ended early do not count.
            counted = {"passages_embedded": done, "passages_total": total, "embedding_attempts": 0}
            if not self._noted(session, **counted):
                return False
            store = VectorStore(session, self.embedder.content_id)
            for position, several in parts.items():
                store.use_in_library(self.lease.key, position, [content_of(part) for part in several])
            store.save({**known, **dict(zip(missing, vectors, strict=True))})
        return True

    def _finish(self) -> bool:
        with self.context.database.session() as session:
            VectorStore(session, self.embedder.content_id).forget_others(self.lease.key)
            return self._noted(
                session,
                embedding=EmbeddingStatus.READY.value,
                embedder=self.embedder.content_id,
                **error_columns(None),
            )

    def _note(self, **values: Any) -> bool:
        with self.context.database.session() as session:
            return self._noted(session, **values)

    def _noted(self, session: Session, **values: Any) -> bool:
        """Update the document, unless it was removed, is read anew or is another worker's by now."""
        found = session.scalar(
            update(LibraryDocument)
            .where(self.lease.is_mine(), MEANINGS.due)
            .values(**values)
            .returning(LibraryDocument.id)
        )
        return found is not None

    def _others_wait(self) -> bool:
        """Whether work of the first queue waits for a worker."""
        return bool(open_queue(self.context.redis, QUEUE_NAME).count)
