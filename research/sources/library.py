"""The office's own library as a source, searched by words and, if it has vectors, by meaning."""

from __future__ import annotations

import re
import tomllib
import uuid
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from typing import ClassVar

import numpy as np
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from core.database import Database
from core.llm.embeddings import Embedder, NoEmbedder, Vectors
from core.models import LibraryDocument, LibraryPassage, LibraryStatus
from research.config import Language
from research.sources.base import (
    FetchedText,
    Hit,
    NoTextError,
    Passage,
    SearchScope,
    SourceKind,
    SourceRefusedError,
    SourceUnavailableError,
)
from research.text.language import content_stems, detect_language
from research.text.meaning import Languages, Vector, fused, nearness_of
from research.text.stored_meaning import StoredMeaning, open_stored, vector_literal, vector_of

#: Any one word matches: subtitles may be missing, and the caller decides whether it is the work.
_TITLED = text(
    """
    select d.id from library_documents d,
      cast(replace(plainto_tsquery('simple', :title)::text, '&', '|') as tsquery) as words
    where d.status = 'ready' and to_tsvector('simple', coalesce(d.title, '')) @@ words
    order by ts_rank(to_tsvector('simple', d.title), words, 1) desc, d.id
    limit :k
    """
)


class LibrarySource:
    """The documents of the library; a search returns documents of the requested kind."""

    name: ClassVar[str] = "library"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"web", "academic", "book", "essay"})

    def __init__(self, database: Database, embedder: Embedder | None = None) -> None:
        """`embedder`: None to search only by words."""
        self._database = database
        self._embedder = embedder or NoEmbedder()
        self._meaning: StoredMeaning | None = None

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """See `SourceProvider.search`. Domains are compared with publisher, else collection, and host."""
        with _answering(self._database) as session:
            self._meaning = self._meaning or open_stored(self._database, self._embedder)
            found = search_library(session, query, scope.kind, scope.language, self._meaning)
            documents = _documents(session, [one.document_id for one in found])
            hits = [_hit(documents[one.document_id], one.score) for one in found]
            return [hit for hit in hits if scope.allows(hit.url, hit.publisher or "")][:k]

    def titled(self, title: str, k: int) -> Sequence[Hit]:
        """Return at most `k` documents of any kind whose titles contain words of `title`, best first."""
        with _answering(self._database) as session:
            ids = session.scalars(_TITLED, {"title": title, "k": k}).all()
            documents = _documents(session, ids)
            return [_hit(documents[one]) for one in ids]

    def fetch(self, hit: Hit) -> FetchedText:
        """See `SourceProvider.fetch`."""
        with _answering(self._database) as session:
            document, passages = locked_document(session, uuid.UUID(hit.locator))
        return FetchedText(passages, document.url)


def locked_document(session: Session, document_id: uuid.UUID) -> tuple[LibraryDocument, tuple[Passage, ...]]:
    """Return a document with its text, locked against an erasure. Raises SourceRefusedError, NoTextError."""
    document = session.get(LibraryDocument, document_id, with_for_update={"read": True, "key_share": True})
    if document is None or document.status == LibraryStatus.REMOVED:
        raise SourceRefusedError("no such document in the library")
    rows = session.execute(
        select(LibraryPassage.text, LibraryPassage.start_char, LibraryPassage.end_char, LibraryPassage.page_no)
        .where(LibraryPassage.document_id == document.id)
        .order_by(LibraryPassage.position)
    ).all()
    if document.status != LibraryStatus.READY or not rows:
        raise NoTextError(f"library document {document.id} is {document.status}")
    return document, tuple(Passage(row.text, row.start_char, row.end_char, row.page_no) for row in rows)


@contextmanager
def _answering(database: Database) -> Iterator[Session]:
    try:
        with database.session() as session:
            yield session
    except DBAPIError as exc:
        raise SourceUnavailableError(f"the library's database: {type(exc.orig).__name__}") from exc


def _documents(session: Session, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, LibraryDocument]:
    rows = session.scalars(select(LibraryDocument).where(LibraryDocument.id.in_(ids)))
    return {row.id: row for row in rows}


def _hit(document: LibraryDocument, score: float = 0.0) -> Hit:
    return Hit(
        provider=LibrarySource.name,
        kind=document.kind,  # type: ignore[arg-type]  # the table's check allows these alone
        title=document.title or document.original_filename,
        locator=str(document.id),
        url=document.url,
        authors=tuple(document.authors),
        year=document.year,
        publisher=document.publisher or document.collection or None,
        doi=document.doi,
        isbn=document.isbn,
        score=score,
        language=document.language,
    )


# Search the library by words and, if it has vectors, by meaning.


#: Text search configuration of each language; the generated column of migration 016 uses the same.
CONFIGS: dict[Language, str] = {"en": "pg_catalog.english", "es": "pg_catalog.spanish"}
#: Marks around a matched word in headlines; no text of the library contains them.
FOUND_START, FOUND_END = "\x02", "\x03"
#: Longest question, in characters and words; the rest is ignored.
_MOST_CHARACTERS, _MOST_WORDS = 2000, 80
#: Most passages of one ranking, and of the fused rankings that are scored in detail if there are vectors.
_LISTED, _SCORED = 50, 50
#: Most passages that are scored in a search only by words.
_BY_WORDS = 400
#: Passages whose mean stands for that of the library's: of a larger library it would hardly differ.
_SAMPLE = 1000
#: Weight of words relative to meaning, and the bonus for the language of the question.
_WORDS, _OWN_LANGUAGE = 0.1, 0.05
#: The largest bonus for words close together.
_CLOSE = 0.2
#: A smaller share of the question's words, or a smaller nearness, counts as chance.
_WORDS_FLOOR, _NEARNESS_FLOOR = 0.12, 0.1
_WORD = re.compile(r"\w(?:\S*\w)?")
#: `-word` excludes a word, as in web searches.
_EXCLUDED = re.compile(r"(?<!\S)-(?=[^\W\d_])(\w+)")
#: Spanish words typed without the accent that the stemmer needs to recognise the ending.
_BARE_ENDING = re.compile(r"\b(\w{2,}[cs])ion\b", re.IGNORECASE)
_DATA = tomllib.loads(files(__package__).joinpath("search_words.toml").read_text(encoding="utf-8"))
_REQUEST_WORDS = re.compile(rf"\b(?:{'|'.join(_DATA['request'])})\b", re.IGNORECASE)
_SPELLINGS = [(re.compile(ending), other) for ending, other in _DATA["spellings"]]
#: {language: {stem: words of the same meaning}}
_SAME_WORDS = {
    name: {stem: words for words in groups for stem in content_stems(words, name)}
    for name, groups in _DATA["same"].items()
}

#: The share of the question's words in a passage, half for words only in its title, and their closeness. A word is
#: weighted by Robertson and Spärck Jones's inverse document frequency over passages, which is always positive.
_SEARCH = text(
    """
    with term as (
      select query, ln(1 + (passages.number - found.number + 0.5) / (found.number + 0.5)) as weight
      from (
        select distinct cast(
          replace(cast(plainto_tsquery(cast(:config as regconfig), words) as text), '&', '|') as tsquery
        ) as query
        from unnest(cast(:wanted as text[])) as given(words)
      ) as wanted
      cross join (
        select cast(count(*) as float) as number from library_passages where language = :language
      ) as passages
      cross join lateral (
        select count(*) as number from library_passages p where p.language = :language and p.search @@ query
      ) as found
      where numnode(query) > 0
    ), asked as (
      select cast(string_agg(cast(query as text), ' | ') as tsquery) as any_of, sum(weight) as whole from term
    ), matching as materialized (
      -- With nothing appended: read from its own place on disk once, not once for each word.
      select p.document_id, p.position, p.search || cast('' as tsvector) as search, asked.*
      from asked join library_passages p on p.search @@ asked.any_of
      where p.language = :language and not p.search @@ cast(
        replace(cast(plainto_tsquery(cast(:config as regconfig), :excluded) as text), '&', '|') as tsquery
      )
    ), titled as materialized (
      select d.id as document_id, d.sha256, to_tsvector(
        cast(:config as regconfig), concat_ws(' ', d.title, d.publisher, array_to_string(d.authors, ' '))
      ) as words
      from library_documents d
      where d.status = 'ready' and (cast(:kind as text) is null or d.kind = :kind)
        and d.id in (select document_id from matching)
    )
    select m.document_id, m.position, :close * ts_rank_cd(m.search, m.any_of, 33) + (
      select sum(weight * case when m.search @@ query then 1 when titled.words @@ query then 0.5 else 0 end)
      from term
    ) / m.whole as share
    from matching m join titled on titled.document_id = m.document_id
    order by share desc, titled.sha256, m.position
    limit :limit
    """
)
_HEADLINES = text(
    """
    select p.document_id, ts_headline(
      config, p.text, cast(replace(cast(plainto_tsquery(config, :question) as text), '&', '|') as tsquery),
      'StartSel=' || :start || ', StopSel=' || :stop || ', MaxFragments=2, MaxWords=28, MinWords=12'
    ) as headline
    from unnest(cast(:documents as uuid[]), cast(:positions as integer[])) as wanted(document_id, position)
    join library_passages p using (document_id, position)
    cross join lateral cast(
      case p.language when 'es' then 'pg_catalog.spanish' else 'pg_catalog.english' end as regconfig
    ) as config
    """
)


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that matches the question."""

    document_id: uuid.UUID
    #: Position of its best passage.
    position: int
    #: Comparable within one search.
    score: float


def search_library(
    session: Session, question: str, kind: str | None, language: Language, meaning: StoredMeaning | None = None
) -> list[FoundDocument]:
    """Return the documents that match the question, best first, each with its best passage.

    If `kind` is None, all kinds are searched. Documents in `language` are preferred to others that match as well.
    The order is deterministic for the same library.
    """
    scores = search_passages(session, question, kind, language, meaning)
    best: dict[uuid.UUID, FoundDocument] = {}
    for (document, position), score in sorted(scores.items(), key=lambda item: (-item[1], item[0])):
        best.setdefault(document, FoundDocument(document, position, round(score, 6)))
    return list(best.values())


def search_passages(
    session: Session, question: str, kind: str | None, language: Language, meaning: StoredMeaning | None = None
) -> dict[Place, float]:
    """Return the scores of the passages that match the question.

    Rankings by words and by meaning, for each language, are fused; the best passages are then scored.
    """
    question = question.replace("\x00", " ")[:_MOST_CHARACTERS]
    with ThreadPoolExecutor(1) as beside:
        # While the database looks for words: either takes tens of milliseconds of another core.
        embedded = (
            beside.submit(copy_context().run, meaning.of_questions, [question])
            if meaning is not None and content_stems(question, language)
            else None
        )
        words = {name: _by_words(session, question, name, kind) for name in CONFIGS}
        asked = None
        if meaning is not None and embedded is not None:
            asked = Question.of(session, meaning, question, embedded)
    shares = {place: share for found in words.values() for place, share in found.items()}
    if asked is None:
        return {
            place: share + (_OWN_LANGUAGE if place in words[language] else 0.0)
            for place, share in shares.items()
            if share >= _WORDS_FLOOR
        }
    lists = [list(found)[:_LISTED] for found in words.values()] + asked.nearest(kind, _LISTED)
    near = asked.nearness(fused(lists)[:_SCORED])
    return {
        place: value + _WORDS * shares.get(place, 0.0)
        for place, value in near.items()
        if value >= _NEARNESS_FLOOR or shares.get(place, 0.0) >= _WORDS_FLOOR
    }


def headlines_of(session: Session, question: str, found: Sequence[FoundDocument]) -> dict[uuid.UUID, str]:
    """Return an extract of each document's best passage, with FOUND_START and FOUND_END around matched words."""
    given = {
        "question": _EXCLUDED.sub(" ", question.replace("\x00", " ")[:_MOST_CHARACTERS]),
        "start": FOUND_START,
        "stop": FOUND_END,
        "documents": [str(one.document_id) for one in found],
        "positions": [one.position for one in found],
    }
    return {row.document_id: " ".join(row.headline.split()) for row in session.execute(_HEADLINES, given)}


def _by_words(session: Session, question: str, language: Language, kind: str | None) -> dict[Place, float]:
    """Return the share of the question's words in each passage that has any, the largest first."""
    given = {
        "wanted": _words_of(_EXCLUDED.sub(" ", question), language),
        "excluded": " ".join(_EXCLUDED.findall(question)),
        "language": language,
        "config": CONFIGS[language],
        "kind": kind,
        "close": _CLOSE,
        "limit": _BY_WORDS,
    }
    return {(row.document_id, row.position): float(row.share) for row in session.execute(_SEARCH, given)}


def _words_of(question: str, language: Language) -> list[str]:
    """Return each word about the subject of a question, with its other spellings and synonyms."""
    if language == "es":
        question = _BARE_ENDING.sub(r"\1ión", question)
    words = _WORD.findall(_REQUEST_WORDS.sub(" ", question)) or _WORD.findall(question)
    return [" ".join([word, *_other_words(word, language)]) for word in words[:_MOST_WORDS]]


def _other_words(word: str, language: Language) -> list[str]:
    same = [_SAME_WORDS[language].get(stem, "") for stem in content_stems(word, language)]
    spelled = [ending.sub(other, word) for ending, other in _SPELLINGS if ending.fullmatch(word)]
    return same + spelled if language == "en" else same


# Passages of the library by meaning: the nearest ones, and the nearness of single passages.


#: Document and position of a passage.
Place = tuple[uuid.UUID, int]

_PARTS = """
    from library_passages p
    join library_documents d on d.id = p.document_id and d.status = 'ready'
    join embeddings.passage_texts t on t.document_id = p.document_id and t.position = p.position
    join embeddings.passage_embeddings e on e.content = t.content and e.model = :model
"""
#: By their contents' hashes, which is as good as at random and the same for the same library.
_MEANS = text(
    f"""
    select language, count(*) as number, vector_send(avg(vector)) as mean
    from (select p.language, e.vector {_PARTS} where t.part = 0 order by t.content limit :sample) as drawn
    group by language
    """  # nosec B608 - constants
)
_NEAREST = text(
    f"""
    select language, document_id, position
    from (
      select p.language, p.document_id, p.position, row_number() over (
        partition by p.language
        order by l2_normalize(e.vector - cast(means.mean as vector)) <#> cast(:asked as vector),
          d.sha256, p.position
      ) as rank
      {_PARTS}
      join unnest(cast(:languages as text[]), cast(:means as vector[])) as means(language, mean)
        on means.language = p.language
      where t.part = 0 and (cast(:kind as text) is null or d.kind = :kind)
    ) as ranked
    where rank <= :limit
    order by language, rank
    """  # nosec B608 - constants
)
_OF_PASSAGES = text(
    f"select p.document_id, p.position, p.language, vector_send(e.vector) as vector {_PARTS}"  # nosec B608 - constants
    " join unnest(cast(:documents as uuid[]), cast(:positions as integer[])) as wanted(document_id, position)"
    "   on wanted.document_id = p.document_id and wanted.position = p.position"
    " order by p.document_id, p.position, t.part"
)


@dataclass(frozen=True)
class Question:
    """A question for a search of the library's vectors."""

    session: Session
    #: The embedder's content id.
    model: str
    vector: Vector
    languages: Languages

    @classmethod
    def of(
        cls, session: Session, meaning: StoredMeaning, question: str, embedded: Future[Vectors | None]
    ) -> Question | None:
        """Return the question with its vector, less that of its language; None if there are no vectors (yet).

        `embedded`: the vector of the question, in the making; it is waited for.
        """
        model = meaning.embedder.content_id
        rows = session.execute(_MEANS, {"model": model, "sample": _SAMPLE}).all()
        vectors = embedded.result()
        languages = Languages.by(meaning) if rows and vectors is not None else None
        if languages is None or vectors is None:
            return None
        vector = languages.question(vectors[0], detect_language(question))
        return cls(
            session, model, vector, languages.among({r.language: (r.number, vector_of(r.mean)) for r in rows})
        )

    def nearest(self, kind: str | None, most: int) -> list[list[Place]]:
        """Return for each language its passages nearest to the question, nearest first."""
        given = {
            "languages": list(self.languages.texts),
            "means": [vector_literal(mean) for mean in self.languages.texts.values()],
            **{"model": self.model, "asked": vector_literal(self.vector), "kind": kind, "limit": most},
        }
        found: dict[str, list[Place]] = {language: [] for language in sorted(self.languages.texts)}
        for row in self.session.execute(_NEAREST, given):
            found[row.language].append((row.document_id, row.position))
        return list(found.values())

    def nearness(self, places: Collection[Place]) -> dict[Place, float]:
        """Return the nearness of passages, whole and by nearest sentences: -2 to 2, about 0 if unrelated."""
        documents, positions = [str(document) for document, _ in places], [position for _, position in places]
        rows = self.session.execute(
            _OF_PASSAGES, {"model": self.model, "documents": documents, "positions": positions}
        )
        found = {}
        for place, parts in groupby(rows, key=lambda row: (row.document_id, row.position)):
            several = list(parts)
            vectors = np.array([vector_of(row.vector) for row in several])
            differences = self.languages.without(vectors, [row.language for row in several])
            found[place] = nearness_of(self.vector, differences[0], differences[1:])
        return found
