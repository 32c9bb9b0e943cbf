"""What a source is about, in one word of the memo's."""

from __future__ import annotations

from collections.abc import Sequence

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


def relevance_of(title: str, quotes: Sequence[str], language: str) -> str:
    """One of pricing, case_study, overview, other: the one whose words stand oftenest in title and findings."""
    known = language if language in _ABOUT else "en"
    found = content_stems(" ".join([title, *quotes]), known)
    counts = {
        name: sum(stem in set(content_stems(words, known)) for stem in found)
        for name, words in _ABOUT[known].items()
    }
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else "other"
