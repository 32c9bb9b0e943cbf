"""What a request asks: its parts, without greetings, reasons and thanks; and whether it asks about the essays."""

from __future__ import annotations

import re

from research.text.stems import stop_words

_BREAK = re.compile(r"(?<=[?!;])\s+|(?<=[.:])\s+(?=[(¿¡A-ZÁÉÍÓÚÑ])|\n+|(?=¿)|\s+(?=\([a-h1-9]\)\s)")
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


def asking_parts(query: str) -> list[str]:
    """Return the questions and list entries of a request of several; none for a request of one sentence."""
    parts = [part.strip() for part in _BREAK.split(query) if part.strip()]
    asking = [_LABEL.sub("", part).rstrip(";. ") for part in parts if part.endswith("?") or _LABEL.match(part)]
    fit = [part for part in dict.fromkeys(asking) if _LEAST_WORDS <= len(part.split()) <= _MOST_WORDS]
    return fit if len(fit) >= _SEVERAL else []


def heading_of(part: str, language: str) -> str:
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


def asks_essays(query: str) -> bool:
    """Return whether the question names essays or entries, in English or Spanish."""
    return _ESSAYS.search(query) is not None


def asked_of_essays(question: str) -> str:
    """Return the question without the phrases that only name the essays as the source."""
    return " ".join(_ESSAYS.sub(" ", _OF_ESSAYS.sub(" ", question)).split())
