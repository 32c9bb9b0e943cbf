"""Derive the questions of Round 1 from the report's question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.questions.angles import aspect_of, subject_of
from research.questions.catalog_fields import required_fields_of, search_words, without_fields
from research.report_type import ReportType
from research.text.numbers import CARDINALS

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
_OF_PHRASE = {"en": "What is known about {phrase}?", "es": "¿Qué se sabe sobre {phrase}?"}
_WHICH = {"en": "Which {items} are there?", "es": "¿Qué {items} hay?"}
#: Imperative openings: "Identify the five best …", "Enumera 10 …".
_ORDER = re.compile(
    r"^\W*(?:please\s+|por favor,?\s+)?(?:can you\s+)?(?:identify|list|find|name|give|show|provide|suggest"
    r"|recommend|compile|identifi\w+|enumer\w+|list\w+|busc\w+|encuentr\w+|nombr\w+|d[ae](?:me)?|indi\w+|propon\w+"
    r"|recomiend\w+)\b"
    r"(?:\s+(?:me|us|nos|the|los|las|a|top|best|up|to|hasta|at|least|al|menos|\d+"
    rf"|{'|'.join(CARDINALS)}))*\s+(?P<items>\S.*)$",
    re.IGNORECASE,
)
_MAX_ITEMS_CHARS = 120


def questions_of(query: str, report_type: ReportType, angles: Sequence[str], language: str) -> list[str]:
    """Return the question, for a catalog one on its items and fields, its sentences, and one per angle."""
    code = "es" if language.startswith("es") else "en"
    whole = " ".join(query.split())
    if not whole:
        return []
    subject = subject_of(whole, code)
    asked = [whole]
    if report_type == ReportType.CATALOG:
        asked += _of_items(whole, subject, code)
    parts = [part.strip() for part in _SENTENCE.findall(whole) if len(part.split()) > 3]
    if len(parts) > 1:
        asked += parts
    asked += [_about(angle, subject, code) for angle in angles]
    return list(dict.fromkeys(asked))


def _of_items(query: str, subject: str, code: str) -> list[str]:
    ordered = (_ORDER.match(part) for part in _SENTENCE.findall(without_fields(query)))
    named = [match["items"].strip(" .?!,:;") for match in ordered if match]
    items = next((name[:_MAX_ITEMS_CHARS] for name in named if len(name.split()) > 1), "")
    fields = ", ".join(search_words(field, code) for field in required_fields_of(query)[2:])
    which = [_WHICH[code].format(items=items)] if items else []
    return [*which, f"{items or subject}: {fields}"]


def _about(angle: str, subject: str, code: str) -> str:
    aspect = aspect_of(angle)
    if aspect and (form := _OF_ASPECT[code].get(aspect.label["en"])):
        return form.format(subject=subject)
    return _OF_PHRASE[code].format(phrase=angle)
