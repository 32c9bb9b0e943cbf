"""The writers' fixed phrases: neutral, without facts, numbers or names, which come only from sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from research.config import Language


@dataclass(frozen=True)
class Wording:
    """The fixed phrases of one language."""

    left: str
    right: str
    in_short: str
    differ: str
    how_far: str
    further: str
    confirmed: str
    contradicted: str
    not_confirmed: str
    untitled: str
    comparison: str
    items: str
    table_says: str
    not_found: str
    name: str
    nothing: str
    nothing_for: str
    fewer: str
    field_missing: str
    only_said: str
    model_away: str
    dropped: str
    tasks_failed: str
    topic_open: str
    few_domains: str


WORDING: Mapping[Language, Wording] = {
    "en": Wording(
        left="“",
        right="”",
        in_short="In short",
        differ="The sources do not say the same here:",
        how_far="How far this holds",
        further="What other sources say",
        confirmed="Said independently by a source of another domain:",
        contradicted="A source of another domain says otherwise:",
        not_confirmed="No source of another domain was found that says so too:",
        untitled="Report",
        comparison="Comparison",
        items="The items one by one",
        table_says="The table sets side by side what the sources say; each item's quotations follow below.",
        not_found="not found",
        name="Name",
        nothing="No source was found that answers this question. Nothing is claimed here.",
        nothing_for="No sentence was found that answers: {question}",
        fewer="{wanted} were asked for; {found} could be shown from the sources.",
        field_missing="Not found for {name}: {fields}.",
        only_said="For {name}, what was noted on {fields} stands in no source and was left out.",
        model_away="The language model could not write “{section}”; it is a digest of the sources' own sentences.",
        dropped="Left out of what the language model wrote, because no source carries them: {count} sentences.",
        tasks_failed="Of {all} research tasks, {failed} failed.",
        topic_open="Nothing was found on: {topic}",
        few_domains="It rests on fewer independent publishers than the {wanted} that were wanted.",
    ),
    "es": Wording(
        left="«",
        right="»",
        in_short="En resumen",
        differ="Las fuentes no dicen lo mismo en este punto:",
        how_far="Hasta dónde se sostiene",
        further="Lo que dicen otras fuentes",
        confirmed="Lo dice también, por su cuenta, una fuente de otro dominio:",
        contradicted="Una fuente de otro dominio dice otra cosa:",
        not_confirmed="No se encontró otra fuente, de otro dominio, que lo diga también:",
        untitled="Informe",
        comparison="Comparación",
        items="Uno por uno",
        table_says="La tabla pone lado a lado lo que dicen las fuentes; las citas de cada caso siguen más abajo.",
        not_found="no encontrado",
        name="Nombre",
        nothing="No se encontró ninguna fuente que responda a esta pregunta. Aquí no se afirma nada.",
        nothing_for="No se encontró ninguna frase que responda a: {question}",
        fewer="Se pidieron {wanted}; las fuentes permiten mostrar {found}.",
        field_missing="No encontrado para {name}: {fields}.",
        only_said="De {name}, lo anotado sobre {fields} no está en ninguna fuente y se dejó fuera.",
        model_away="El modelo de lenguaje no pudo escribir «{section}»; es un compendio de frases de las fuentes.",
        dropped="Omitidas de lo que escribió el modelo, porque ninguna fuente las sostiene: {count} frases.",
        tasks_failed="De {all} tareas de investigación, fallaron {failed}.",
        topic_open="No se encontró nada sobre: {topic}",
        few_domains="Se apoya en menos editores independientes que los {wanted} que se querían.",
    ),
}
