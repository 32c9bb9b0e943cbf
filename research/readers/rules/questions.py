"""Derive the questions of Round 1 from the report's question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.questions.asking import asking_parts
from research.questions.catalog_fields import search_words, without_fields
from research.questions.subjects import subject_of
from research.readers.protocol import Asked
from research.report_type import ReportType

_SENTENCE = re.compile(r"[^.?!;]+[.?!;]?")
_OF_ASPECT = {"en": "What is known about {aspect}?", "es": "¿Qué se sabe sobre {aspect}?"}
_LEAST_WORDS = 4


def questions_of(asked: Asked, aspects: Sequence[str]) -> list[str]:
    """Return the question, for a catalog one on its items and fields, its sentences, and one per aspect."""
    whole = " ".join(asked.query.split())
    questions = [whole]
    if asked.report_type == ReportType.CATALOG:
        fields = ", ".join(filter(None, (search_words(field, asked.language) for field in asked.fields)))
        questions.append(f"{subject_of(whole, asked.language)}: {fields}")
    asking = asking_parts(asked.query)
    if asking:
        return [*questions, *asking]
    parts = [part.strip() for part in _SENTENCE.findall(without_fields(whole))]
    if len(parts) > 1:
        questions += [part for part in parts if len(part.split()) >= _LEAST_WORDS]
    questions += [_OF_ASPECT[asked.language].format(aspect=aspect) for aspect in aspects]
    return list(dict.fromkeys(filter(None, questions)))
