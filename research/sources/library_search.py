"""Search the library by words and, where there are vectors, by meaning."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from research.meaning.stored import StoredMeaning
from research.sources.library_meaning import Place, Question, by_document, fused
from research.sources.library_terms import CONFIGS, Language, Terms, any_stem, terms_of

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

#: Title, publisher and authors of a document.
_TITLE = "to_tsvector(:config, concat_ws(' ', d.title, d.publisher, array_to_string(d.authors, ' ')))"
_SEARCH = """
    select p.document_id, p.position, array[{flags}] as held, array[{title_flags}] as title_held,
      ts_rank_cd(p.search, cast(:any_of as tsquery), 33) as close
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
    #: Comparable within one search.
    score: float


def search_library(
    session: Session, question: str, kind: str | None, language: Language, meaning: StoredMeaning | None = None
) -> list[FoundDocument]:
    """Return the documents that match the question, best first, each with its best passage.

    If `kind` is None, all kinds are searched. Documents in `language` are preferred to others that match as well.
    The order is deterministic for the same library.
    """
    scores = by_document(search_passages(session, question, kind, language, meaning))
    ordered = sorted(scores.items(), key=lambda item: (-item[1][0], str(item[0])))
    return [FoundDocument(document, position, round(score, 6)) for document, (score, position) in ordered]


def search_passages(
    session: Session, question: str, kind: str | None, language: Language, meaning: StoredMeaning | None = None
) -> dict[Place, float]:
    """Return the scores of the passages that match the question.

    Lists by words and by meaning, one of each for each language, are fused by ranks; the best are then scored.
    """
    looked_for = [terms for name in CONFIGS if (terms := terms_of(session, question, name)) is not None]
    asked = Question.of(session, meaning, question) if looked_for else None
    words = {terms.language: _by_words(session, terms, kind) for terms in looked_for}
    own = frozenset(words.get(language, ()))
    shares = {place: share for found in words.values() for place, share in found.items()}
    if asked is None:
        return {
            place: share + (_OWN_LANGUAGE if place in own else 0.0)
            for place, share in shares.items()
            if share >= _WORDS_FLOOR
        }
    lists = [list(found)[:_LISTED] for found in words.values()] + asked.nearest(kind, _LISTED)
    near = asked.nearness(fused(lists, _SCORED))
    return {
        place: value + _WORDS * shares.get(place, 0.0)
        for place, value in near.items()
        if value >= _NEARNESS_FLOOR or shares.get(place, 0.0) >= _WORDS_FLOOR
    }


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


def _by_words(session: Session, terms: Terms, kind: str | None) -> Mapping[Place, float]:
    """Return the share of the question in each passage that has a word of it, the largest first."""
    names = [f"q{index}" for index in range(len(terms.queries))]
    statement = _SEARCH.format(
        flags=", ".join(f"p.search @@ cast(:{name} as tsquery)" for name in names),
        title_flags=", ".join(f"{_TITLE} @@ cast(:{name} as tsquery)" for name in names),
        weight=" + ".join(
            f"(p.search @@ cast(:{name} as tsquery))::int * {weight:.6f}"
            for name, weight in zip(names, terms.weights, strict=True)
        ),
    ).replace(":config", f"'{CONFIGS[terms.language]}'::regconfig")
    given: dict[str, object] = dict(zip(names, terms.queries, strict=True))
    given |= {"any_of": terms.any_of, "language": terms.language, "kind": kind, "limit": _BY_WORDS}
    found = {
        (row.document_id, row.position): _share(row, terms) for row in session.execute(text(statement), given)
    }
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _share(row: Row[Any], terms: Terms) -> float:
    """Return how much of the question a passage has, half of what only its title has, and how close together."""
    weights = zip(terms.weights, row.held, row.title_held, strict=True)
    held = sum(weight * (1.0 if here else 0.5 if above else 0.0) for weight, here, above in weights)
    return (held / terms.total if terms.total else 0.0) + _CLOSE * float(row.close)
