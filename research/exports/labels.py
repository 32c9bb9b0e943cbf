"""Fixed labels of exports, in English and Spanish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from research.config import Language


@dataclass(frozen=True)
class Labels:
    """The labels of one language."""

    references: str
    limits: str
    digest: str
    page: str


LABELS: Mapping[Language, Labels] = {
    "en": Labels(
        references="References",
        limits="What could not be found or verified",
        digest="A digest: sentences of the sources, chosen and ordered by rule, without a language model.",
        page="Page {number} of {count}",
    ),
    "es": Labels(
        references="Referencias",
        limits="Lo que no se pudo encontrar o verificar",
        digest="Un compendio: frases de las fuentes, elegidas y ordenadas por reglas, sin modelo de lenguaje.",
        page="Página {number} de {count}",
    ),
}
