"""Find the parts of a long request that ask something, without greetings, reasons and thanks."""

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
    words = _without_ends(_WORD.findall(clause), small)
    if len(words) > _HEADING:
        words = _without_ends(words[-_HEADING:], small)
    return " ".join(words) if len(words) > 1 else ""


def _without_ends(words: list[str], small: frozenset[str]) -> list[str]:
    while words and words[0].casefold() in small:
        words = words[1:]
    while words and words[-1].casefold() in small:
        words = words[:-1]
    return words
