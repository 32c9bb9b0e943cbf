"""What a person reads above a form that was not taken."""

from __future__ import annotations

from core.errors import AppError
from web.i18n import sentence
from web.labels import in_words
from web.research.supervision.labels import is_refusal, refusals


def told(error: AppError) -> str:
    """What exactly did not fit, or who was faster, and what to do; what the guard refused, in sentences."""
    if is_refusal(error.detail):
        return " ".join(refusals(error.detail))
    advice, detail = sentence(error.help_message), in_words(error.detail).rstrip(".")
    return f"{detail[:1].upper()}{detail[1:]}. {advice}" if detail else advice
