"""Make queries by rule from the words of a question, for each kind of provider."""

from __future__ import annotations

import re

from research.memo.worker_result import Kind
from research.questions.terms import search_words_of, shortened, specific, terms_of
from research.questions.wording import fold
from research.readers.query_tidying import distinct, tidy
from research.text import detect_language

#: Most terms per query and kind; an index requires all of them to match.
_MOST_TERMS: dict[Kind, tuple[int, int, int]] = {"web": (12, 8, 6), "academic": (6, 5, 4), "book": (3, 3, 2)}
#: Words added to the terms, one variant per query.
_ADDED: dict[tuple[Kind, str], tuple[str, str, str]] = {
    ("web", "en"): ("", "examples report", "analysis"),
    ("web", "es"): ("", "ejemplos informe", "análisis"),
    ("academic", "en"): ("study", "systematic review", "qualitative research"),
    ("academic", "es"): ("estudio", "revisión sistemática", "investigación cualitativa"),
    ("book", "en"): ("introduction", "handbook", "history"),
    ("book", "es"): ("introducción", "manual", "historia"),
}


def queries_of(kind: Kind, question: str, *, year: int, limit: int) -> list[str]:
    """Return up to three queries in the question's language; empty if it has no words."""
    language = detect_language(question)
    terms = terms_of(question, language) or question.strip(" ¿?¡!.").split()
    if not terms:
        return []
    made = []
    for at, (most, added) in enumerate(zip(_MOST_TERMS[kind], _ADDED[kind, language], strict=True)):
        own = terms if kind == "web" and not at else specific(terms)
        others = [word for word in added.split() if fold(word) not in map(fold, own)]
        made.append(" ".join([*shortened(own, most), *others]))
    if kind == "web" and _is_current(question):
        made[0] = f"{made[0]} {year}"
    return distinct(tidy(query, kind) for query in made)[:limit]


def _is_current(question: str) -> bool:
    """Return whether the question is about the present and names no year."""
    words = re.findall(r"\w+", fold(question))
    dated = any(len(word) == 4 and word.isdigit() for word in words)
    return not dated and not search_words_of("current").isdisjoint(words)
