"""The questions of Round 1, from the question that was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.angles import aspect_of, subject_of
from research.catalog_fields import field_label, required_fields_of
from research.report_type import ReportType

_SENTENCE = re.compile(r"[^.?!;]+[.?!;]?")
_OF_ASPECT = {
    "en": {
        "definition": "What is meant by {subject}?",
        "mechanism": "How and why does it come about: {subject}?",
        "effects": "What effects are reported of {subject}?",
        "costs": "What does it cost: {subject}?",
        "comparison": "How do the alternatives compare: {subject}?",
        "timeline": "How has it developed over time: {subject}?",
        "barriers": "What stands in the way of {subject}?",
        "practice": "What is done in practice about {subject}?",
        "evidence": "What evidence is there on {subject}?",
    },
    "es": {
        "definition": "¿Qué se entiende por {subject}?",
        "mechanism": "¿Cómo y por qué se produce: {subject}?",
        "effects": "¿Qué efectos se describen de {subject}?",
        "costs": "¿Cuánto cuesta: {subject}?",
        "comparison": "¿Cómo se comparan las alternativas: {subject}?",
        "timeline": "¿Cómo ha evolucionado en el tiempo: {subject}?",
        "barriers": "¿Qué obstáculos hay para {subject}?",
        "practice": "¿Qué se hace en la práctica sobre {subject}?",
        "evidence": "¿Qué evidencia hay sobre {subject}?",
    },
}
_OF_PHRASE = {"en": "What is known about {phrase}: {subject}?", "es": "¿Qué se sabe sobre {phrase}: {subject}?"}
_ITEMS = {
    "en": ("Which {subject} are there?", "What is reported of {subject}: {fields}?"),
    "es": ("¿Qué {subject} hay?", "¿Qué se sabe de {subject}: {fields}?"),
}


def questions_of(query: str, report_type: ReportType, angles: Sequence[str], language: str) -> list[str]:
    """The question itself, then one for each of its angles or, for a catalog, for items and their fields."""
    code = "es" if language.startswith("es") else "en"
    subject = subject_of(query, code)
    whole = " ".join(query.split())
    if not whole:
        return []
    asked = [whole]
    if report_type == ReportType.CATALOG:
        fields = ", ".join(field_label(field) for field in required_fields_of(query)[2:])
        asked += [form.format(subject=subject, fields=fields) for form in _ITEMS[code]]
    parts = [part.strip() for part in _SENTENCE.findall(whole) if len(part.split()) > 3]
    if len(parts) > 1:
        asked += parts
    asked += [_about(angle, subject, code) for angle in angles]
    return list(dict.fromkeys(asked))


def _about(angle: str, subject: str, code: str) -> str:
    aspect = aspect_of(angle)
    if aspect and (form := _OF_ASPECT[code].get(aspect.label["en"])):
        return form.format(subject=subject)
    return _OF_PHRASE[code].format(phrase=angle, subject=subject)
