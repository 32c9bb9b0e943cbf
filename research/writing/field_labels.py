"""Labels of catalog fields."""

from __future__ import annotations

from collections.abc import Mapping

from research.config import Language

_LABELS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "name": "Name",
        "provider_url": "Website",
        "problem_solved": "Problem solved",
        "pricing_model": "Pricing",
        "cost": "Costs",
        "proof_links": "Proof",
        "evaluation": "Evaluation",
        "target_group": "For whom",
        "location": "Where",
        "opening_hours": "Opening hours",
        "eligibility": "Who may take part",
        "deadline": "Deadline",
        "duration": "Duration",
        "contact": "Contact",
        "year": "Year",
    },
    "es": {
        "name": "Nombre",
        "provider_url": "Sitio web",
        "problem_solved": "Problema que resuelve",
        "pricing_model": "Precios",
        "cost": "Costos",
        "proof_links": "Pruebas",
        "evaluation": "Evaluación",
        "target_group": "Para quién",
        "location": "Dónde",
        "opening_hours": "Horario",
        "eligibility": "Quién puede participar",
        "deadline": "Fecha límite",
        "duration": "Duración",
        "contact": "Contacto",
        "year": "Año",
    },
}


def label_of(field: str, language: Language) -> str:
    """Return a field's label; a field named by the question itself keeps its own words."""
    plain = " ".join(field.replace("_", " ").split())
    return _LABELS[language].get(field) or plain[:1].upper() + plain[1:]
