"""What fields of a catalog mean, for a model."""

from __future__ import annotations

from research.questions.field_names import field_words

_HINTS = {
    "provider_url": "web address of the item or of who offers it",
    "problem_solved": "what it does or what it is for",
    "pricing_model": "what it costs those who use or run it, and how that is charged",
    "cost": "what it costs those who use or run it",
    "proof_links": "what a study, evaluation or count says of its results",
    "evaluation": "what a study, evaluation or count says of its results",
    "duration": "how long it lasts or may be kept",
    "target_group": "for whom it is",
    "eligibility": "who may take part",
}


def hint_of(field: str) -> str:
    """Return what the field asks for; a field named by the request itself has its own words."""
    return _HINTS.get(field, field_words(field))
