"""What a person reads above a form that was not taken."""

from __future__ import annotations

from core.errors import AppError
from web.i18n import say, sentence


def told(error: AppError) -> str:
    """What exactly did not fit, or who was faster, and what to do."""
    exactly = detail_of(error).rstrip(".")
    advice = say(error.of_its_kind)
    return f"{exactly[:1].upper()}{exactly[1:]}. {advice}" if exactly else advice


def detail_of(error: AppError) -> str:
    """What exactly did not fit, in the language of the request; empty where the error's kind says it all."""
    return say(error.message) if error.message else sentence(error.detail)
