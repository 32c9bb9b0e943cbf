"""Classify what a source is about, with one of the memo's categories."""

from __future__ import annotations

from research.text import content_stems

_ABOUT: dict[str, dict[str, str]] = {
    "en": {
        "pricing": "price pricing cost costs fee fees subscription budget grant salary dollars free",
        "case_study": "case study evaluation trial randomized participants results outcome survey sample",
        "overview": "overview introduction guide review history definition framework handbook",
    },
    "es": {
        "pricing": "precio precios costo costos coste tarifa cuota suscripción presupuesto beca salario gratis",
        "case_study": "caso estudio evaluación ensayo aleatorizado participantes resultados encuesta muestra",
        "overview": "panorama introducción guía revisión historia definición marco manual",
    },
}


def relevance_of(title: str, language: str) -> str:
    """Return pricing, case_study, overview or other: the one whose words are most frequent in the title."""
    known = language if language in _ABOUT else "en"
    found = content_stems(title, known)
    counts = {
        name: sum(stem in set(content_stems(words, known)) for stem in found)
        for name, words in _ABOUT[known].items()
    }
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else "other"
