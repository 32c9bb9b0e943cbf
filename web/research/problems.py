"""What a person reads above a form that was not taken."""

from __future__ import annotations

from core.errors import AppError, ConflictError
from web.i18n import say, sentence
from web.labels import in_words


def told(error: AppError) -> str:
    """What exactly did not fit, or who was faster, and what to do."""
    # Conflicts of other areas still come with a text.
    what = say(error.message) or (in_words(error.detail) if isinstance(error, ConflictError) else "")
    return " ".join(part for part in (what, sentence(error.help_message)) if part)
