"""Turn a question into search terms: PostgreSQL's stems, weighted by inverse document frequency."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import text
from sqlalchemy.orm import Session

Language = Literal["en", "es"]

#: Text search configuration of each language; the generated column of migration 012 uses the same.
CONFIGS: dict[Language, str] = {"en": "pg_catalog.english", "es": "pg_catalog.spanish"}
#: Longest question, in characters and stems; the rest is ignored.
_MAX_CHARACTERS = 2000
_MAX_TERMS = 40
_WORD = re.compile(r"[^\W\d_]+")
#: Words of the request itself that do not describe its subject.
_REQUEST_WORDS = re.compile(
    r"\b(?:identify|list|find|give|provide|tell|show|describe|explain|compare|summari[sz]e|please|report|items?|examples?|"
    r"identifica|enumera|encuentra|busca|dame|muestra|describe|explica|compara|resume|informe|ejemplos?)\b",
    re.IGNORECASE,
)
#: `-word` excludes a word, as in web searches.
_EXCLUDED = re.compile(r"(?<!\S)-(?=[^\W\d_])(\w+)")
#: Spanish words typed without the accent that the stemmer needs to recognise the ending.
_BARE_ENDING = re.compile(r"\b(\w{2,}[cs])ion\b", re.IGNORECASE)
#: Patterns between American and British endings of the same word, in both directions.
_SPELLINGS = (
    (re.compile(r"(\w{3,40})is(e[drs]?|ing|ations?)"), r"\1iz\2"),
    (re.compile(r"(\w{3,40})iz(e[drs]?|ing|ations?)"), r"\1is\2"),
    (re.compile(r"(\w{2,40})our(s|ed|ing|ful|less|hoods?|al|ally)?"), r"\1or\2"),
    (re.compile(r"(\w{3,40}[bdlnrv])or(s|ed|ing|ful|less|hoods?|al|ally)?"), r"\1our\2"),
    (re.compile(r"(\w{2,40}[bnt])re(s|d)?"), r"\1er\2"),
    (re.compile(r"(\w{2,40}[bnt])er(s|ed)?"), r"\1re\2"),
    (re.compile(r"(\w{2,40}[ae])ll(ed|ing|ers?)"), r"\1l\2"),
    (re.compile(r"(\w{2,40}[ae])l(ed|ing|ers?)"), r"\1ll\2"),
)
_SMALL_NUMBER = re.compile(r"\d{1,2}")

_STEMS = text(
    "select unnest(tsvector_to_array(to_tsvector(cast(:config as regconfig), :words))) as stem order by stem"
)
_STEMS_OF_WORDS = text(
    """
    select word, unnest(tsvector_to_array(to_tsvector(cast(:config as regconfig), word))) as stem
    from unnest(cast(:words as text[])) as given(word)
    """
)
_COUNTS = text(
    """
    select term.query, (
      select count(*) from library_passages p
      where p.language = :language and p.search @@ cast(term.query as tsquery)
    ) as found
    from unnest(cast(:queries as text[])) as term(query)
    """
)
_PASSAGES = text("select count(*) from library_passages where language = :language")


@dataclass(frozen=True, slots=True)
class Terms:
    """The search terms for passages of one language."""

    language: Language
    #: Stems as tsqueries, each with its other spellings, and the weight of each, higher for rare ones.
    queries: tuple[str, ...]
    weights: tuple[float, ...]
    #: Stems that must not occur.
    excluded: tuple[str, ...]

    @property
    def any_of(self) -> str:
        """A tsquery that matches any of the stems and none of the excluded ones."""
        found = " | ".join(self.queries)
        return f"({found})" + "".join(f" & !{stem}" for stem in self.excluded)

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return sum(self.weights)


def terms_of(session: Session, question: str, language: Language) -> Terms | None:
    """Return the search terms of a question in a language, or None if no stem remains."""
    question = question.replace("\x00", " ")[:_MAX_CHARACTERS]
    excluded = _stems(session, " ".join(_EXCLUDED.findall(question)), language)
    wanted = _EXCLUDED.sub(" ", question)
    about = _stems(session, _REQUEST_WORDS.sub(" ", wanted), language) or _stems(session, wanted, language)
    stems = _without_small_numbers([stem for stem in about if stem not in excluded])[:_MAX_TERMS]
    if not stems:
        return None
    queries = _with_same_words(session, wanted, stems, language)
    weights = _weights(session, queries, language)
    return Terms(language, tuple(queries), tuple(weights), tuple(map(_literal, excluded)))


def any_stem(session: Session, question: str, language: Language) -> str:
    """Return a tsquery that matches any stem of the question; empty if it has none."""
    question = question.replace("\x00", " ")[:_MAX_CHARACTERS]
    return " | ".join(_with_same_words(session, question, _stems(session, question, language), language))


def _stems(session: Session, words: str, language: Language) -> list[str]:
    if not words.strip():
        return []
    if language == "es":
        words = _BARE_ENDING.sub(r"\1ión", words)
    return list(session.scalars(_STEMS, {"config": CONFIGS[language], "words": words}))


def _with_same_words(session: Session, question: str, stems: list[str], language: Language) -> list[str]:
    """Return a tsquery for each stem: the stem or those of its other spellings and synonyms."""
    others = {word: _same(word, language) for word in set(_WORD.findall(question.lower()))}
    words = sorted({one for word, same in others.items() if same for one in (word, *same)})
    rows = session.execute(_STEMS_OF_WORDS, {"config": CONFIGS[language], "words": words}) if words else ()
    stem_of: dict[str, str] = {row.word: row.stem for row in rows}
    groups: dict[str, set[str]] = {stem: {stem} for stem in stems}
    for word, same in others.items():
        if stem_of.get(word) in groups:
            groups[stem_of[word]] |= {stem_of[one] for one in same if one in stem_of}
    found = (" | ".join(map(_literal, sorted(group))) for group in groups.values())
    return list(dict.fromkeys(f"({query})" for query in found))


def _same(word: str, language: Language) -> set[str]:
    """Return other spellings of an English word, and synonyms of a word or its singular."""
    found: set[str] = set()
    if language == "en":
        found |= {ending.sub(other, word) for ending, other in _SPELLINGS if ending.fullmatch(word)}
    for one in (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("n")):
        found |= _SAME_WORDS.get((language, one), set())
    return found - {word}


def _read_same_words() -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for line in (Path(__file__).parent / "same_words.txt").read_text(encoding="utf-8").splitlines():
        language, *words = line.split()
        for word in words:
            found.setdefault((language, word), set()).update(words)
    return found


_SAME_WORDS = _read_same_words()


def _without_small_numbers(stems: list[str]) -> list[str]:
    """Drop numbers of one or two digits unless nothing else remains: "5" in "identify 5" is a count."""
    return [stem for stem in stems if not _SMALL_NUMBER.fullmatch(stem)] or stems


def _literal(stem: str) -> str:
    """Return the stem quoted as a tsquery operand."""
    return "'" + stem.replace("\\", "\\\\").replace("'", "''") + "'"


def _weights(session: Session, queries: list[str], language: Language) -> list[float]:
    """Return Robertson and Spärck Jones's inverse document frequency over passages; always positive."""
    passages = session.scalar(_PASSAGES, {"language": language}) or 0
    rows = session.execute(_COUNTS, {"language": language, "queries": queries})
    found: dict[str, int] = {row.query: row.found for row in rows}
    return [math.log(1 + (passages - found[query] + 0.5) / (found[query] + 0.5)) for query in queries]
