"""Full-text search over the library: passages scored by their share of the question, documents by passages."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from research.sources.library_terms import CONFIGS, Language, Terms, any_stem, terms_of

#: Marks around a matched word in headlines; no text of the library contains them.
FOUND_START, FOUND_END = "\x02", "\x03"
#: The passages with the most of the question that are scored in detail.
_CANDIDATES = 400
#: Weights in a document's score, besides its best passage: the score of its second best passage, the share of
#: the question in all passages and the title together, and the bonus for the language of the question.
_SECOND, _TOGETHER, _OWN_LANGUAGE = 0.15, 0.4, 0.15
#: Bonus of a passage for containing all words, and the largest bonus for containing them close together.
_WHOLE, _CLOSE = 0.15, 0.2
#: A smaller share of the question is attributed to chance.
_FLOOR = 0.12

#: Title, publisher and authors of a document.
_TITLE = "to_tsvector(:config, concat_ws(' ', d.title, d.publisher, array_to_string(d.authors, ' ')))"
_SEARCH = """
    select p.document_id, p.position, array[{flags}] as held,
      p.search @@ websearch_to_tsquery(:config, :whole) as whole,
      ts_rank_cd(p.search, cast(:any_of as tsquery), 33) as close,
      d.sha256, d.language, array[{title_flags}] as title_held
    from library_passages p
    join library_documents d on d.id = p.document_id
    where d.status = 'ready' and p.language = :language and p.search @@ cast(:any_of as tsquery)
      and (cast(:kind as text) is null or d.kind = :kind)
    order by {weight} desc, close desc, d.sha256, p.position
    limit :limit
"""
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
    #: 0 to about 2; comparable within one search.
    score: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    document_id: uuid.UUID
    position: int
    score: float
    held: frozenset[int]
    title_held: frozenset[int]
    sha256: str
    terms: Terms


def search_library(session: Session, question: str, kind: str | None, language: Language) -> list[FoundDocument]:
    """Return all documents that match the question, best first, each with its best passage.

    If `kind` is None, all kinds are searched. Documents in `language` get a bonus; those in the other language are
    found by the question's names and words. The order is deterministic for the same library.
    """
    looked_for = [terms for name in CONFIGS if (terms := terms_of(session, question, name)) is not None]
    found = [candidate for terms in looked_for for candidate in _candidates(session, terms, kind)]
    return _by_document(found, language)


def headlines_of(session: Session, question: str, found: Sequence[FoundDocument]) -> dict[uuid.UUID, str]:
    """Return an extract of each document's best passage, with FOUND_START and FOUND_END around matched words."""
    rows = session.execute(
        _HEADLINES,
        {
            "en": any_stem(session, question, "en"),
            "es": any_stem(session, question, "es"),
            "start": FOUND_START,
            "stop": FOUND_END,
            "documents": [str(one.document_id) for one in found],
            "positions": [one.position for one in found],
        },
    )
    return {row.document_id: " ".join(row.headline.split()) for row in rows}


def _candidates(session: Session, terms: Terms, kind: str | None) -> list[_Candidate]:
    names = [f"q{index}" for index in range(len(terms.queries))]
    statement = _SEARCH.format(
        flags=", ".join(f"p.search @@ cast(:{name} as tsquery)" for name in names),
        title_flags=", ".join(f"{_TITLE} @@ cast(:{name} as tsquery)" for name in names),
        weight=" + ".join(
            f"(p.search @@ cast(:{name} as tsquery))::int * {weight:.6f}"
            for name, weight in zip(names, terms.weights, strict=True)
        ),
    ).replace(":config", f"'{CONFIGS[terms.language]}'::regconfig")
    given = dict(zip(names, terms.queries, strict=True))
    rows = session.execute(
        text(statement),
        {
            **given,
            "whole": terms.whole,
            "any_of": terms.any_of,
            "language": terms.language,
            "kind": kind,
            "limit": _CANDIDATES,
        },
    )
    return [candidate for row in rows if (candidate := _candidate(row, terms)).score > 0]


def _candidate(row: Row[Any], terms: Terms) -> _Candidate:
    held = frozenset(index for index, here in enumerate(row.held) if here)
    title_held = frozenset(index for index, here in enumerate(row.title_held) if here)
    score = _share(held, terms) + _CLOSE * row.close + (_WHOLE if row.whole else 0.0)
    return _Candidate(row.document_id, row.position, score, held, title_held, row.sha256, terms)


def _share(held: Iterable[int], terms: Terms) -> float:
    """Return the share of the question's weight that these stems have, 0 to 1."""
    return sum(terms.weights[index] for index in held) / terms.total if terms.total else 0.0


def _by_document(found: Sequence[_Candidate], language: Language) -> list[FoundDocument]:
    ordered = sorted(found, key=lambda one: (one.sha256, -one.score, one.position))
    scored: list[tuple[float, str, FoundDocument]] = []
    for sha256, group in groupby(ordered, key=attrgetter("sha256")):
        passages = list(group)
        best, terms = passages[0], passages[0].terms
        together = _share(frozenset.union(best.title_held, *(one.held for one in passages)), terms)
        if together < _FLOOR:
            continue
        score = best.score + _TOGETHER * together + (_OWN_LANGUAGE if terms.language == language else 0.0)
        score += _SECOND * passages[1].score if len(passages) > 1 else 0.0
        scored.append((-score, sha256, FoundDocument(best.document_id, best.position, round(score, 6))))
    return [document for _, _, document in sorted(scored, key=lambda one: one[:2])]
