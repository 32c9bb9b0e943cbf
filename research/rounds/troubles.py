"""Describe problems during the rounds, in the report's language, for the report's limits."""

from __future__ import annotations

from collections.abc import Sequence

from research.running.context import RoundContext
from research.storage.sources import StoredSource

_SENTENCES = {
    "en": {
        "budget": "The budget of this report was spent before the research was complete ({resource}).",
        "model": "The language model gave no usable answer to one question; rules decided instead.",
        "models": "The language model gave no usable answer to {count} questions; rules decided instead.",
        "source": "One source could not be read.",
        "sources": "{count} sources could not be read.",
        "provider": "The provider {provider} could not be searched.",
    },
    "es": {
        "budget": "El presupuesto de este informe se agotó antes de terminar la investigación ({resource}).",
        "model": "El modelo de lenguaje no dio una respuesta útil a una pregunta; decidieron las reglas.",
        "models": "El modelo de lenguaje no dio una respuesta útil a {count} preguntas; decidieron las reglas.",
        "source": "No se pudo leer una fuente.",
        "sources": "No se pudieron leer {count} fuentes.",
        "provider": "No se pudo buscar en el proveedor {provider}.",
    },
}
_RESOURCES = {
    "en": {"calls": "model calls", "tokens": "tokens", "usd": "money", "minutes": "time"},
    "es": {"calls": "consultas al modelo", "tokens": "tokens", "usd": "dinero", "minutes": "tiempo"},
}


def troubles(context: RoundContext, rows: Sequence[StoredSource], unanswered: int) -> list[str]:
    """Return a sentence for each kind of problem that occurred."""
    language = context.brief.language
    said = _SENTENCES[language]
    found = []
    if (resource := context.budget.exhausted) is not None:
        found.append(said["budget"].format(resource=_RESOURCES[language][resource]))
    if unanswered:
        found.append(said["model" if unanswered == 1 else "models"].format(count=unanswered))
    for provider in sorted({row.provider for row in rows if row.is_provider}):
        found.append(said["provider"].format(provider=provider))
    unread = sum(row.status == "failed" and not row.is_provider for row in rows)
    if unread:
        found.append(said["source" if unread == 1 else "sources"].format(count=unread))
    return found
