"""A library of the pages of one half, read and embedded as an office's is."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import yaml
from sqlalchemy import select

from core.llm.embeddings import open_embedder
from core.models import LibraryDocument, LibraryKind, LibraryPassage
from lab.bench.office import own_context
from lab.bench.research.retrieving.kept_vectors import keep, put_back
from lab.bench.research.retrieving.questions import Asked, Page
from services.context import Context
from services.library.documents import GivenMetadata, add_document
from services.library.passages import embed_document
from services.library.reading import read_library_document
from services.uploads.submit import IncomingFile


@dataclass(frozen=True)
class Shelves:
    """A library and where its pages stand in it."""

    context: Context
    #: {page: document}.
    documents: dict[str, uuid.UUID]

    def answering(self, asked: Asked) -> set[tuple[uuid.UUID, int]]:
        """Return the passages of the library that hold the answer; where it was cut, the one with most of it."""
        key = self.documents[asked.page_id]
        with self.context.database.session() as session:
            rows = session.execute(
                select(LibraryPassage.position, LibraryPassage.text).where(LibraryPassage.document_id == key)
            ).all()
        wanted = _plain(asked.passage)
        whole = {(key, row.position) for row in rows if wanted in _plain(row.text)}
        words = set(wanted.split())
        best = max(rows, key=lambda row: (len(words & set(_plain(row.text).split())), -row.position))
        return whole or {(key, best.position)}

    def language(self, page_id: str) -> str:
        """Return the language of a page."""
        return self.context.database.get_one(LibraryDocument, self.documents[page_id]).language


@contextmanager
def shelves(pages: Sequence[Page]) -> Iterator[Shelves]:
    """A desk with a database of its own, its library filled with the pages."""
    with own_context("retrieval") as context:
        yield Shelves(context, {page.page_id: _put(context, page) for page in pages})


def embed(filled: Shelves) -> None:
    """Compute the vectors of all pages."""
    # Otherwise the embedding of each page makes way for those of the others, which wait on the queue.
    filled.context.redis.flushdb()
    model = open_embedder(filled.context.settings).content_id
    put_back(filled.context.database, model)
    for key in filled.documents.values():
        embed_document(filled.context, key)
    keep(filled.context.database, model)


def _put(context: Context, page: Page) -> uuid.UUID:
    about = yaml.safe_dump(
        {"title": page.title, "publisher": page.publisher, "year": page.year}, allow_unicode=True, sort_keys=False
    )
    file = IncomingFile(f"{page.page_id}.md", f"---\n{about}---\n{page.text}\n".encode())
    key = add_document(context, None, file, GivenMetadata(LibraryKind.WEB), queue=False).document_id
    read_library_document(context, key)
    return key


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()
