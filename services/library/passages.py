"""Passages of a document, their vectors, and its metadata."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, exists, or_, select, update
from sqlalchemy import text as sql_text
from sqlalchemy.orm import Session

from core.lease import Lease
from core.llm.embeddings import Embedder, open_embedder, stored_dimensions
from core.models import EmbeddingStatus, LibraryDocument, LibraryPassage, LibraryStatus
from core.models.base import error_columns
from core.queue import CROWD_QUEUE_NAME, PAGES_QUEUE_NAME, QUEUE_NAME, open_queue
from research.text.meaning import Languages
from research.text.stored_meaning import StoredMeaning, VectorStore, content_of, texts_to_embed
from services.context import Context
from services.library.blocks import FoundMetadata, TextBlock, full_text, single_spaced
from services.recovery.research_kinds import MEANINGS
from services.recovery.work import keeping, take_lease

#: Passages whose vectors are stored at a time.
_BATCH = 4
#: Columns of a document whose vectors are to be computed.
_TO_DO = {
    "embedding": EmbeddingStatus.QUEUED.value,
    "embedding_attempts": 0,
    "embedding_enqueued_at": None,
    "passages_embedded": 0,
}
_WITHOUT_VECTORS = sql_text(
    "not exists (select from embeddings.passage_texts t where t.document_id = library_documents.id)"
)


def embedding_columns(context: Context) -> dict[str, Any]:
    """Return the columns of a document that was just read: its vectors wait, if there is an embedder."""
    if open_embedder(context.settings).dimensions:
        return _TO_DO
    return {"embedding": EmbeddingStatus.NONE.value}


def embed_document(context: Context, document_id: uuid.UUID) -> bool:
    """Compute and store the vectors of a document; return False if there was nothing to do.

    Stored vectors are not computed again. Stops when the document is removed or other work waits; the reconciler
    queues the rest. Raises EmbeddingError.
    """
    lease = take_lease(context, MEANINGS, document_id)
    if lease is None:
        return False
    with keeping(context, lease):
        return _Embedding(context, lease, open_embedder(context.settings)).run()


def retry_embedding(context: Context, document_id: uuid.UUID) -> bool:
    """Queue a document whose vectors could not be computed; return whether there is such a document."""
    won = context.database.scalar(
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

    These are all documents after a change of the embedder or the restore of a backup, which has no vectors.
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
        # Loaded now, so that no search has to wait for it.
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
        parts = {row.position: texts_to_embed(title, row.heading, row.text, row.language) for row in batch}
        texts = {content_of(part): part for several in parts.values() for part in several}
        with self.context.database.reading() as session:
            known = VectorStore(session, self.embedder.content_id).load(texts)
        missing = [content for content in texts if content not in known]
        vectors = self.embedder.texts([texts[content] for content in missing])
        with self.context.database.session() as session:
            # There was progress, so earlier failed attempts do not count.
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
        """Update the document, unless it was removed, is being read again or is another worker's by now."""
        found = session.scalar(
            update(LibraryDocument)
            .where(self.lease.is_mine(), MEANINGS.due)
            .values(**values)
            .returning(LibraryDocument.id)
        )
        return found is not None

    def _others_wait(self) -> bool:
        """Whether more urgent work waits for a worker."""
        names = (QUEUE_NAME, PAGES_QUEUE_NAME, CROWD_QUEUE_NAME)
        return any(open_queue(self.context.redis, name).count for name in names)


#: Characters after which a passage ends with the current paragraph.
TARGET = 800
#: A heading begins a new passage unless the one before it has fewer characters than this.
_SHORT = 200
#: A paragraph with more characters than this is cut at the ends of sentences.
_LONG = 1600
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+(?=[\"'“‘(\[¿¡]*[A-ZÀ-ÖØ-Þ0-9])")
_MAX_HEADING = 300


@dataclass(frozen=True, slots=True)
class PassageText:
    """A row of `library_passages` without the document's id."""

    position: int
    page_no: int | None
    start_char: int
    end_char: int
    heading: str | None
    text: str


def passages_of_blocks(blocks: list[TextBlock]) -> list[PassageText]:
    """Return the passages in order; concatenated they are the whole text.

    A passage does not cross a page break, and begins at a heading where possible.
    """
    found: list[PassageText] = []
    start = 0
    for heading, page_no, text in _pieces(blocks):
        end = start + len(text)
        found.append(PassageText(len(found), page_no, start, end, heading, text))
        start = end
    return found


def _pieces(blocks: list[TextBlock]) -> Iterator[tuple[str | None, int | None, str]]:
    text, trail = "", _Trail()
    heading: str | None = None
    page_no: int | None = None
    for block, whole in full_text(blocks):
        is_heading = block.level is not None
        ends = _is_full(text, whole) or block.page_no != page_no or (is_heading and len(text) >= _SHORT)
        if text and ends:
            yield heading, page_no, text
            text = ""
        trail.pass_by(block)
        if not text or is_heading:
            heading = trail.path
        page_no = block.page_no
        *full, rest = _cut(text + whole)
        for piece in full:
            yield heading, page_no, piece
        text = rest
    if text:
        yield heading, page_no, text


def _is_full(text: str, more: str) -> bool:
    """Return whether the passage's length is closer to the target without the next paragraph."""
    return len(text) >= TARGET or (2 * len(text) >= TARGET and len(text) + len(more) > 2 * TARGET - len(text))


def _cut(text: str) -> list[str]:
    """Cut a long text at sentence ends into pieces of about the target's length; return a short one unchanged."""
    pieces: list[str] = []
    start = 0
    while len(text) - start > _LONG:
        goal, last = start + TARGET, start + _LONG
        ends = [found.end() for found in _SENTENCE_END.finditer(text, start + TARGET // 2, last)]
        nearest = min(((abs(place - goal), place) for place in ends), default=None)
        end = nearest[1] if nearest else text.rfind(" ", goal, last) + 1 or goal
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]]


class _Trail:
    """The chain of headings above the current block."""

    def __init__(self) -> None:
        self._over: list[tuple[int, str]] = []

    def pass_by(self, block: TextBlock) -> None:
        if block.level is not None:
            self._over = [*(one for one in self._over if one[0] < block.level), (block.level, block.text)]

    @property
    def path(self) -> str | None:
        """The headings joined from the highest level down, None without any."""
        return " › ".join(text for _, text in self._over)[:_MAX_HEADING] or None


_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]*[^\s\"<>.,;:)\]]")
_ISBN = re.compile(r"\bISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx])\b")
_DATED = re.compile(r"(?:©|\(c\)|copyright|published|publicado|editado)\D{0,40}(1[5-9]\d\d|20\d\d)", re.IGNORECASE)
#: At the start of a sentence only: an article may tell what somebody published.
_PUBLISHED_BY = re.compile(r"\b(?:Published by|Publicado por|Editado por) ([^\n.;,()]{2,100})")
_WEB = re.compile(r"https?://[^\s\"<>]{4,1000}")
#: Titles that programs fill in automatically.
_NO_TITLE = re.compile(
    r"(?:untitled|document|documento|sin título)\s*+\d*|microsoft word.*"
    r"|.*\.(?:docx?|pdf|indd|tex|txt|md|html?|odt|rtf)\s*+\d*",
    re.I,
)
_NO_AUTHOR = {"", "python-docx", "author", "user", "admin", "unknown", "anonymous", "microsoft office user"}
#: How YAML writes that there is no value.
_NULL = ("", "~", "null")
_MAX_TITLE, _MAX_NAME, _MAX_AUTHORS = 400, 200, 30


def year_of(value: object) -> int | None:
    """Return the year in a number or text, None if there is none."""
    found = _YEAR.search(str(value or ""))
    return int(found[1]) if found else None


def title_of(value: object) -> str:
    """Return the title on one line; empty if a program filled it in."""
    title = single_spaced(str(value or ""))[:_MAX_TITLE]
    return "" if _NO_TITLE.fullmatch(title) else title


def authors_of(value: object) -> list[str]:
    """Return the names in a list or a text with separators: semicolons, "and", commas between full names."""
    names = value if isinstance(value, list | tuple) else _names(str(value or ""))
    plain = (single_spaced(str(name))[:_MAX_NAME].strip(" ,;") for name in names)
    return list(dict.fromkeys(name for name in plain if name.casefold() not in _NO_AUTHOR))[:_MAX_AUTHORS]


def _names(text: str) -> list[str]:
    parts = re.split(r"(?>(?:(?<!\s)\s++)?);\s*+|(?<!\s)\s++(?:and|y|&)\s++", text)
    # "Ortiz, Ana" is one name; "Ana Ortiz, Ben Lee" are two.
    return [name for part in parts for name in (part.split(",") if _is_list(part) else [part])]


def _is_list(part: str) -> bool:
    pieces = [piece.split() for piece in part.split(",")]
    return len(pieces) > 1 and all(len(piece) > 1 for piece in pieces)


def doi_of(text: str) -> str | None:
    """Return the first DOI in the text."""
    found = _DOI.search(text)
    return found[0] if found else None


def isbn_of(text: str) -> str | None:
    """Return the first number labelled as ISBN, without hyphens."""
    found = _ISBN.search(text)
    return re.sub(r"[- ]", "", found[1]).upper() if found else None


def dated(text: str) -> int | None:
    """Return the year after a copyright sign or a word such as "published"."""
    found = _DATED.search(text)
    return int(found[1]) if found else None


def published_by(text: str) -> str | None:
    """Return the publisher after words such as "published by"."""
    found = _PUBLISHED_BY.search(text)
    return publisher_name(found[1]) if found else None


def web_address_of(value: object) -> str | None:
    """Return the value if it is an http or https address, else None."""
    found = _WEB.fullmatch(str(value or "").strip())
    return found[0] if found else None


def publisher_name(value: object) -> str | None:
    """Return the name of a publisher, site or journal on one line, None if it is empty."""
    return single_spaced(str(value or ""))[:_MAX_NAME] or None


def front_matter_facts(given: Mapping[str, Any]) -> FoundMetadata:
    """Return the metadata given by the keys of front matter, whose scalars are text.

    Unknown keys and invalid values are ignored.
    """
    known = {str(key).strip().lower().replace("-", "_"): _plain(value) for key, value in given.items()}
    language = str(_first(known, ("language", "lang", "idioma")) or "").lower()[:2]
    isbn = re.sub(r"[^\dXx]", "", str(known.get("isbn") or ""))
    return FoundMetadata(
        title=title_of(_first(known, ("title", "título", "titulo"))),
        authors=authors_of(_first(known, ("authors", "author", "autor", "autores"))),
        year=year_of(_first(known, ("year", "date", "published", "año", "fecha"))),
        publisher=publisher_name(_first(known, ("publisher", "journal", "site", "editorial", "source"))),
        url=web_address_of(_first(known, ("url", "link", "source_url"))),
        doi=doi_of(str(known.get("doi") or "")),
        isbn=isbn if len(isbn) in (10, 13) else None,
        language=language if language in ("en", "es") else None,
        is_sample=str(known.get("sample")).lower() in ("true", "yes"),
    )


def _plain(value: Any) -> Any:
    """Return a scalar or a list of scalars. Nested values are dropped: YAML aliases can expand without end."""
    if isinstance(value, list):
        return [one for one in value if isinstance(one, str)]
    return value if isinstance(value, str) and value.lower() not in _NULL else None


def _first(known: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((known[name] for name in names if known.get(name)), None)
