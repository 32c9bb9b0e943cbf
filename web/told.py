"""What a page says of a refused form: the error message above it, and what was typed."""

from __future__ import annotations

from flask import request
from werkzeug.datastructures import MultiDict

from core.errors import AppError
from services.audit import LONGEST_NOTE
from web.i18n import say


def told(error: AppError) -> str:
    """Return what exactly is wrong, or who was faster, and what to do."""
    exactly = say(error.message).rstrip(".")
    advice = say(error.of_its_kind)
    return f"{exactly[:1].upper()}{exactly[1:]}. {advice}" if exactly else advice


def typed_lines(longest: int = LONGEST_NOTE) -> MultiDict[str, str]:
    """Return what was typed into a form whose fields are of one line each, cut to the longest of them."""
    return MultiDict((name, value[:longest]) for name, value in request.form.items(multi=True))
