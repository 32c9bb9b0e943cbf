"""Turn a question into search terms: PostgreSQL's stems, weighted by inverse document frequency."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from sqlalchemy import text
from sqlalchemy.orm import Session

from research.config import Language

#: Text search configuration of each language; the generated column of migration 012 uses the same.
CONFIGS: dict[Language, str] = {"en": "pg_catalog.english", "es": "pg_catalog.spanish"}
#: Longest question, in characters and stems; the rest is ignored.
_MAX_CHARACTERS = 2000
_MAX_TERMS = 40
_DATA = tomllib.loads(files(__package__).joinpath("search_words.toml").read_text(encoding="utf-8"))
_WORD = re.compile(r"[^\W\d_]+")
_REQUEST_WORDS = re.compile(rf"\b(?:{'|'.join(_DATA['request'])})\b", re.IGNORECASE)
_SPELLINGS = [(re.compile(ending), other) for ending, other in _DATA["spellings"]]
_SAME_WORDS = {name: [set(words.split()) for words in groups] for name, groups in _DATA["same"].items()}
#: `-word` excludes a word, as in web searches.
_EXCLUDED = re.compile(r"(?<!\S)-(?=[^\W\d_])(\w+)")
#: Spanish words typed without the accent that the stemmer needs to recognise the ending.
_BARE_ENDING = re.compile(r"\b(\w{2,}[cs])ion\b", re.IGNORECASE)
#: A count such as the 5 of "identify 5".
_SMALL_NUMBER = re.compile(r"\d{1,2}")

_STEMS = text(
    """
    select word, unnest(tsvector_to_array(to_tsvector(cast(:config as regconfig), word))) as stem
    from unnest(cast(:words as text[])) as given(word) order by stem
    """
)
#: Robertson and Spärck Jones's inverse document frequency over passages; always positive.
_WEIGHTS = text(
    """
    select ln(1 + (passages.number - found.number + 0.5) / (found.number + 0.5))
    from unnest(cast(:queries as text[])) with ordinality as term(query, place)
    cross join (
      select cast(count(*) as float) as number from library_passages where language = :language
    ) as passages
    cross join lateral (
      select count(*) as number from library_passages p
      where p.language = :language and p.search @@ cast(term.query as tsquery)
    ) as found
    order by place
    """
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The search terms for passages of one language."""

    language: Language
    #: Stems as tsqueries, each with its other spellings, and the weight of each, higher for rare ones.
    queries: Sequence[str]
    weights: Sequence[float]
    #: A tsquery that matches any of the stems and none of the excluded ones.
    any_of: str


def terms_of(session: Session, question: str, language: Language) -> Terms | None:
    """Return the search terms of a question in a language, or None if no stem remains."""
    question = question.replace("\x00", " ")[:_MAX_CHARACTERS]
    excluded = [stem for _, stem in _stems(session, _EXCLUDED.findall(question), language)]
    wanted = _EXCLUDED.sub(" ", question)
    about = _stems(session, [_REQUEST_WORDS.sub(" ", wanted)], language) or _stems(session, [wanted], language)
    stems = [stem for _, stem in about if stem not in excluded]
    stems = ([stem for stem in stems if not _SMALL_NUMBER.fullmatch(stem)] or stems)[:_MAX_TERMS]
    if not stems:
        return None
    queries = _with_same_words(session, wanted, stems, language)
    any_of = f"({' | '.join(queries)})" + "".join(f" & !{_literal(stem)}" for stem in excluded)
    weights = session.scalars(_WEIGHTS, {"language": language, "queries": queries})
    return Terms(language, queries, weights.all(), any_of)


def _stems(session: Session, texts: Sequence[str], language: Language) -> list[tuple[str, str]]:
    """Return each text with each of its stems, in order of the stems."""
    if language == "es":
        texts = [_BARE_ENDING.sub(r"\1ión", words) for words in texts]
    rows = session.execute(_STEMS, {"config": CONFIGS[language], "words": texts})
    return [(row.word, row.stem) for row in rows]


def _with_same_words(session: Session, question: str, stems: list[str], language: Language) -> list[str]:
    """Return a tsquery for each stem: the stem or those of its other spellings and synonyms."""
    others = {word: _same(word, language) for word in set(_WORD.findall(question.lower()))}
    stem_of = dict(_stems(session, sorted(set(others).union(*others.values())), language))
    groups: dict[str, set[str]] = {stem: {stem} for stem in stems}
    for word, same in others.items():
        if stem_of.get(word) in groups:
            groups[stem_of[word]] |= {stem_of[one] for one in same if one in stem_of}
    found = (" | ".join(map(_literal, sorted(group))) for group in groups.values())
    return list(dict.fromkeys(f"({query})" for query in found))


def _same(word: str, language: Language) -> set[str]:
    """Return other spellings of an English word, and synonyms of a word or its singular."""
    forms = {word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("n")}
    found = {one for group in _SAME_WORDS[language] if not forms.isdisjoint(group) for one in group}
    if language == "en":
        found |= {ending.sub(other, word) for ending, other in _SPELLINGS if ending.fullmatch(word)}
    return found - {word}


def _literal(stem: str) -> str:
    """Return the stem quoted as a tsquery operand."""
    return "'" + stem.replace("\\", "\\\\").replace("'", "''") + "'"
