"""What a request asks: its parts, aspects and subject, without greetings; and whether it asks the essays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from research.questions.catalog_fields import named_fields, without_fields
from research.text import content_stems
from research.text.stems import stop_words
from research.words import words_of

_BREAK = re.compile(r"(?<=[?!;])\s+|(?<=[.:])\s+(?=[(¿¡A-ZÁÉÍÓÚÑ])|\n+|(?=¿)|(?<!\s)\s++(?=\([a-h1-9]\)\s)")
#: The label of an entry of a list: "(a)", "2.", "-".
_LABEL = re.compile(r"^(?:\(?[a-h1-9][.)]|[-•*–])\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CLAUSE = re.compile(r"[,;:(?!.]|\s[-–—]\s")
_LEAST_WORDS, _MOST_WORDS = 3, 40
_QUESTION_WORDS = frozenset(("many", "much", "whether", "anything", "something", "anybody", "anyone"))
_QUESTION_WORDS |= {"qué", "cómo", "cuánto", "cuánta", "cuántos", "cuántas", "cuál", "cuáles", "quién", "quiénes"}
#: Fewest parts for which a request is divided, and most words of a heading.
_SEVERAL, _HEADING = 2, 5
#: Words for essays; "ensayos clínicos" are trials.
_ESSAYS = re.compile(
    r"\b(?:essays?|entries|redacci(?:ón|ones)|ensayos?(?!\s+(?:cl[ií]nic|aleatori|control|piloto|de\s+campo)))\b",
    re.IGNORECASE,
)
#: Phrases that name the essays as a collection; the essays' own texts do not contain them.
_OF_ESSAYS = re.compile(
    r"\b(?:(?:this|the|last|our|esta|la)\s+)?(?:season(?:'s|’s)?|temporada|contest(?:'s|’s)?|concurso)\b",
    re.IGNORECASE,
)
_MAX_ASPECTS = 6
#: Most words of a question that is an aspect as it stands.
_MAX_WHOLE = 8
_ASKING_WORDS = (
    "what|how|who|whom|whose|why|when|where|which|whether|qué|cómo|quién|quiénes|por qué|cuándo|dónde|cuál|cuáles"
    "|cuánto|cuánta|cuántos|cuántas"
)
#: How a sentence begins that asks also without a mark, and where one asks something else: "…, and who pays?"
_ASKS = re.compile(rf"¿|(?:{_ASKING_WORDS}|has|have|does|do|did|is|are|was|were|can|could)\b", re.IGNORECASE)
_ASKS_AGAIN = re.compile(
    rf"(?:[,;]\s+(?:and\s+|y\s+|e\s+)?|\s+(?:[-–—]\s+)?(?:and|y|e)\s+)(?=(?:{_ASKING_WORDS})\b)", re.IGNORECASE
)
_MAX_PHRASE = 4
_MAX_SUBJECT = 3
_PIECE = re.compile(rf"{_WORD.pattern}|[^\w\s]")


def asking_parts(query: str) -> list[str]:
    """Return the questions and list entries of a request of several; none for a request of one sentence."""
    parts = [part.strip() for part in _BREAK.split(query) if part.strip()]
    asking = [_LABEL.sub("", part).rstrip(";. ") for part in parts if part.endswith("?") or _LABEL.match(part)]
    fit = [part for part in dict.fromkeys(asking) if _LEAST_WORDS <= len(part.split()) <= _MOST_WORDS]
    return fit if len(fit) >= _SEVERAL else []


def aspects_of(query: str, language: str) -> list[str]:
    """Return what a question asks that a report should say something about, in its own words, at most six.

    Of a request with several questions or clauses that ask, one of each, without what stands around them. Of one
    question its subject, and each field that it names: "with costs and evaluations".
    """
    if asking := _asked(query):
        found = [_heading_of(part, language) or part.strip(" ¿¡?!.,;") for part in asking]
    else:
        found = [*_whole(query, language), *named_fields(query)]
    return list(dict.fromkeys(one for one in found if content_stems(one, language)))[:_MAX_ASPECTS]


def question_on(aspect: str, query: str) -> str:
    """Return the part of a request that asks about an aspect, in its own words; the aspect itself if none does."""
    return next((part for part in _asked(query) if aspect.casefold() in part.casefold()), aspect)


def subject_of_all(query: str, language: str) -> str:
    """Return the subject of a request of several questions, which its letter's first words seldom name."""
    return subject_of(" ".join(_asked(query)) or query, language)


def _asked(query: str) -> list[str]:
    """Return the questions, list entries and clauses that ask; none if there is only one."""
    parts = [_LABEL.sub("", part.strip()) for part in _BREAK.split(query)]
    several = [
        part
        for part, given in zip(parts, _BREAK.split(query), strict=True)
        if part.endswith("?") or _ASKS.match(part) or _LABEL.match(given.strip())
    ]
    clauses = [clause for part in several for clause in _ASKS_AGAIN.split(" ".join(part.split()))]
    fit = [clause.rstrip(";.,-– ") for clause in clauses if 1 < len(clause.split()) <= _MOST_WORDS]
    return fit if len(fit) >= _SEVERAL else []


def _whole(query: str, language: str) -> list[str]:
    """Return the one thing that a request asks, up to its fields: its words if they are few, else its phrases."""
    words = _WORD.findall(without_fields(query))
    while words and words[0].casefold() in stop_words(language) | _QUESTION_WORDS:
        words = words[1:]
    told = " ".join(words) if len(words) <= _MAX_WHOLE else subject_of(query, language)
    return [told] if told else []


def subject_of(query: str, language: str) -> str:
    """Return the subject of a question in a few words for a search."""
    return " ".join(phrases_of(without_fields(query), language)[:_MAX_SUBJECT]) or " ".join(query.split())[:120]


def phrases_of(query: str, language: str) -> list[str]:
    """Return the phrases of a question in order: runs of words between stop words, verbs and punctuation."""
    kept: dict[tuple[str, ...], str] = {}
    for words in _runs(query, language):
        phrase = " ".join(words[-_MAX_PHRASE:])
        stems = tuple(content_stems(phrase, language))
        if stems and not any(set(stems) <= set(known) for known in kept):
            kept[stems] = phrase
    return list(kept.values())


def asks_essays(query: str) -> bool:
    """Return whether the question names essays or entries, in English or Spanish."""
    return _ESSAYS.search(query) is not None


def asked_of_essays(question: str) -> str:
    """Return the question without the phrases that only name the essays as the source."""
    return " ".join(_ESSAYS.sub(" ", _OF_ESSAYS.sub(" ", question)).split())


def _heading_of(part: str, language: str) -> str:
    """Return two to five words that name what a part asks, or "" if they cannot be taken from it as they stand."""
    small = stop_words(language) | _QUESTION_WORDS
    clause = next((piece for piece in _CLAUSE.split(part.strip(" ¿¡")) if len(piece.split()) > 1), "")
    words = without_ends(_WORD.findall(clause), small)
    if len(words) > _HEADING:
        words = without_ends(words[-_HEADING:], small)
    return " ".join(words) if len(words) > 1 else ""


def without_ends(words: list[str], small: frozenset[str]) -> list[str]:
    """Return the words without those of `small` at both ends."""
    while words and words[0].casefold() in small:
        words = words[1:]
    while words and words[-1].casefold() in small:
        words = words[:-1]
    return words


def _runs(query: str, language: str) -> Iterator[list[str]]:
    left_out = stop_words(language) | words_of("question")

    def tells(piece: str) -> bool:
        return piece[0].isalnum() and not piece.isdigit() and piece.casefold() not in left_out

    return (list(run) for told, run in groupby(_PIECE.findall(query), tells) if told)
