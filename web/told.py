"""The error message above a refused form."""

from __future__ import annotations

from core.errors import AppError
from web.i18n import say


def told(error: AppError) -> str:
    """Return what exactly is wrong, or who was faster, and what to do."""
    exactly = say(error.message).rstrip(".")
    advice = say(error.of_its_kind)
    return f"{exactly[:1].upper()}{exactly[1:]}. {advice}" if exactly else advice
