"""Make search queries for gaps, in the language of the question."""

from __future__ import annotations

from collections.abc import Sequence

from research.questions.catalog_fields import is_pricing, is_proof, search_words
from research.questions.subjects import subject_of

_INDEPENDENT = {"en": "reviews independent analysis", "es": "reseñas análisis independiente"}
_MORE = {"en": "other examples providers list", "es": "otros ejemplos proveedores lista"}
_OTHERS = {"en": "independent sources report", "es": "fuentes independientes informe"}


def field_query(candidate_name: str, fields: Sequence[str], language: str) -> str:
    """Return a query for a candidate's most urgent fields: pricing, then proof, then others."""
    first = next((field for field in fields if is_pricing(field)), None)
    first = first or next((field for field in fields if is_proof(field)), None)
    wanted = [first] if first else list(fields)
    words = " ".join(search_words(field, language) for field in wanted)
    return " ".join(f"{_quoted(candidate_name)} {words}".split())


def evidence_query(candidate_name: str, _fields: Sequence[str], language: str) -> str:
    """Return a query for independent evidence on a candidate."""
    return f"{_quoted(candidate_name)} {_INDEPENDENT[language]}"


def discovery_query(query: str, language: str) -> str:
    """Return a query for more items of the requested kind."""
    return f"{subject_of(query, language)} {_MORE[language]}".strip()


def topic_query(query: str, topic: str, language: str) -> str:
    """Return a query for a topic of the question."""
    subject = subject_of(query, language)
    named = topic.replace("_", " ")
    return subject if named.casefold() in subject.casefold() else f"{named} {subject}".strip()


def other_domains_query(query: str, language: str) -> str:
    """Return a query for sources from other domains."""
    return f"{subject_of(query, language)} {_OTHERS[language]}".strip()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', "").strip() + '"'
