"""Plan the questions and aspects of a report from the words of its request."""

from __future__ import annotations

import re

from research.questions.asking import asking_parts, aspects_of, subject_of
from research.questions.catalog_fields import search_words, without_fields
from research.readers.protocol import Asked, Plan
from research.report_type import ReportType

_SENTENCE = re.compile(r"[^.?!;]+[.?!;]?")
_OF_ASPECT = {"en": "What is known about {aspect}?", "es": "¿Qué se sabe sobre {aspect}?"}
_LEAST_WORDS = 4


def plan_of(asked: Asked, most_questions: int) -> Plan:
    """Return the request, for a catalog a question on items and fields, then the questions that it consists of.

    In place of these, its sentences and a question per aspect. At most `most_questions` in all.
    """
    aspects = aspects_of(asked.query, asked.language)
    whole = " ".join(asked.query.split())
    questions = [whole]
    if asked.report_type == ReportType.CATALOG:
        fields = ", ".join(filter(None, (search_words(field, asked.language) for field in asked.fields)))
        questions.append(f"{subject_of(whole, asked.language)}: {fields}")
    asking = asking_parts(asked.query)
    if not asking:
        sentences = [part.strip() for part in _SENTENCE.findall(without_fields(whole))]
        asking = [one for one in sentences if len(sentences) > 1 and len(one.split()) >= _LEAST_WORDS]
        asking += [_OF_ASPECT[asked.language].format(aspect=aspect) for aspect in aspects]
    told = f" Aspects: {', '.join(aspects)}." if aspects else ""
    questions = list(dict.fromkeys(filter(None, [*questions, *asking])))[:most_questions]
    return Plan(tuple(questions), tuple(aspects), f"Planned by rule from the words of the question.{told}")
