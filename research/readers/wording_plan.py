"""Plan questions, aspects and search queries from the words of a request."""

from __future__ import annotations

import re

from research.memo.worker_result import Kind
from research.questions.asking import asking_parts, aspects_of, subject_of, subject_of_all
from research.questions.catalog_fields import search_words, without_fields
from research.questions.terms import shortened, specific, terms_of
from research.questions.wording import fold
from research.readers.protocol import Asked, Plan
from research.readers.query_tidying import distinct, tidy
from research.report_type import ReportType
from research.text import content_stems, detect_language
from research.words import words_of

_SENTENCE = re.compile(r"[^.?!;]+[.?!;]?")
_OF_ASPECT = {"en": "What is known about {aspect}?", "es": "¿Qué se sabe sobre {aspect}?"}
_LEAST_WORDS = 4
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


def plan_of(asked: Asked, most_questions: int) -> Plan:
    """Return the request, for a catalog a question on items and fields, then the questions that it consists of.

    In place of these, its sentences and a question per aspect, each with the subject. At most `most_questions`.
    """
    language = asked.language
    aspects = aspects_of(asked.query, language)
    whole = " ".join(asked.query.split())
    questions = [whole]
    if asked.report_type == ReportType.CATALOG:
        fields = ", ".join(filter(None, (search_words(field, language) for field in asked.fields)))
        questions.append(f"{subject_of(whole, language)}: {fields}")
    asking = asking_parts(asked.query)
    if not asking:
        sentences = [part.strip() for part in _SENTENCE.findall(without_fields(whole))]
        asking = [one for one in sentences if len(sentences) > 1 and len(one.split()) >= _LEAST_WORDS]
        asking += [_OF_ASPECT[language].format(aspect=aspect) for aspect in aspects if len(aspects) > 1]
    subject = subject_of_all(whole, language)
    asking = [_with_subject(question, subject, language) for question in asking]
    told = f" Aspects: {', '.join(aspects)}." if aspects else ""
    questions = list(dict.fromkeys(filter(None, [*questions, *asking])))[:most_questions]
    return Plan(tuple(questions), tuple(aspects), f"Made from the words of the question.{told}")


def _with_subject(question: str, subject: str, language: str) -> str:
    """Return the question, with the subject of the request behind it where it has no word of that."""
    if set(content_stems(question, language)) & set(content_stems(subject, language)):
        return question
    return f"{question} ({subject})"


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
    return not dated and not words_of("search_current").isdisjoint(words)
