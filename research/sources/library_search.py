"""Full-text search over the library: passages by their share of the question, documents by their best."""

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

#: Around a word that was found, in headlines; no text of the library holds them.
FOUND_START, FOUND_END = "\x02", "\x03"
#: Passages that are judged closely; the others hold less of the question.
_CANDIDATES = 400
#: What makes the score of a document, besides the share of the question in its best passage: the share in its
#: second best, the share in all of them and its title together, and being in the language that was asked in.
_SECOND, _TOGETHER, _OWN_LANGUAGE = 0.15, 0.4, 0.15
#: What a passage gets for holding all words, and at most for holding them close together.
_WHOLE, _CLOSE = 0.15, 0.2
#: Holding less of the question than this is chance.
_FLOOR = 0.12

#: What a document is known by, besides its text.
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
    """A document that holds something of the question."""

    document_id: uuid.UUID
    #: Its best passage.
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
    """All documents that hold something of the question, best first, each by its best passage.

    `kind` None looks through all kinds. Documents in the language asked in come first among equals; of the other
    language those come that hold the question's names and words. The order is the same for the same library.
    """
    looked_for = [terms for name in CONFIGS if (terms := terms_of(session, question, name)) is not None]
    found = [candidate for terms in looked_for for candidate in _candidates(session, terms, kind)]
    return _by_document(found, language)


def headlines_of(session: Session, question: str, found: Sequence[FoundDocument]) -> dict[uuid.UUID, str]:
    """Of each document's best passage, with FOUND_START and FOUND_END around what was asked for."""
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
    """How much of the question these stems are, 0 to 1."""
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
