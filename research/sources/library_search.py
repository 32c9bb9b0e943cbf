"""Search the library by words and, where there are vectors, by meaning."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import text
from sqlalchemy.orm import Session

from research.config import Language
from research.meaning import fused
from research.meaning.store import StoredMeaning
from research.sources.library_meaning import Place, Question
from research.sources.library_terms import CONFIGS, Terms, terms_of

#: Marks around a matched word in headlines; no text of the library contains them.
FOUND_START, FOUND_END = "\x02", "\x03"
#: Passages of one list, and the fused passages that are scored in detail where there are vectors.
_LISTED, _SCORED = 50, 50
#: Passages that are scored where words alone decide.
_BY_WORDS = 400
#: Weight of the words beside the meaning, and the bonus for the language of the question.
_WORDS, _OWN_LANGUAGE = 0.1, 0.05
#: The largest bonus for words close together.
_CLOSE = 0.2
#: A smaller share of the question's words, and a smaller nearness, is attributed to chance.
_WORDS_FLOOR, _NEARNESS_FLOOR = 0.12, 0.1

#: The share of the question that a passage has, half of what only its title has, and how close together.
_SEARCH = text(
    """
    with term as (
      select cast(query as tsquery) as query, weight
      from unnest(cast(:queries as text[]), cast(:weights as float[])) as given(query, weight)
    ), found as (
      select p.document_id, p.position, p.search, ts_rank_cd(p.search, cast(:any_of as tsquery), 33) as close,
        concat_ws(' ', d.title, d.publisher, array_to_string(d.authors, ' ')) as title
      from library_passages p
      join library_documents d on d.id = p.document_id
      where d.status = 'ready' and p.language = :language and p.search @@ cast(:any_of as tsquery)
        and (cast(:kind as text) is null or d.kind = :kind)
      order by (select sum(weight) from term where p.search @@ query) desc, close desc, d.sha256, p.position
      limit :limit
    )
    select document_id, position, :close * close + (
      select sum(weight * case when search @@ query then 1 when titled.words @@ query then 0.5 else 0 end)
        / sum(weight) from term
    ) as share
    from found, to_tsvector(cast(:config as regconfig), title) as titled(words)
    """
)
_HEADLINES = text(
    """
    select p.document_id, ts_headline(
      cast(case p.language when 'es' then 'pg_catalog.spanish' else 'pg_catalog.english' end as regconfig), p.text,
      cast(case p.language when 'es' then :es else :en end as tsquery),
      'StartSel=' || :start || ', StopSel=' || :stop || ', MaxFragments=2, MaxWords=28, MinWords=12'
    ) as headline
    from unnest(cast(:documents as uuid[]), cast(:positions as integer[])) as wanted(document_id, position)
    join library_passages p using (document_id, position)
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

    Lists by words and by meaning, one of each for each language, are fused by ranks; the best are then scored.
    """
    looked_for = [terms for name in CONFIGS if (terms := terms_of(session, question, name)) is not None]
    asked = Question.of(session, meaning, question) if looked_for else None
    words = {terms.language: _by_words(session, terms, kind) for terms in looked_for}
    shares = {place: share for found in words.values() for place, share in found.items()}
    if asked is None:
        own = words.get(language, {})
        return {
            place: share + (_OWN_LANGUAGE if place in own else 0.0)
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
    terms = {name: terms_of(session, question, name) for name in CONFIGS}
    given: dict[str, object] = {name: one.any_of if one else "" for name, one in terms.items()}
    given |= {"start": FOUND_START, "stop": FOUND_END, "positions": [one.position for one in found]}
    rows = session.execute(_HEADLINES, {**given, "documents": [str(one.document_id) for one in found]})
    return {row.document_id: " ".join(row.headline.split()) for row in rows}


def _by_words(session: Session, terms: Terms, kind: str | None) -> dict[Place, float]:
    """Return the share of the question in each passage that has a word of it, the largest first."""
    limits = {"config": CONFIGS[terms.language], "kind": kind, "close": _CLOSE, "limit": _BY_WORDS}
    given = asdict(terms) | limits
    found = {(row.document_id, row.position): float(row.share) for row in session.execute(_SEARCH, given)}
    return dict(sorted(found.items(), key=lambda item: -item[1]))
