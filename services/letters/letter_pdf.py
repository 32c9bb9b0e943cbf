"""Letters as a PDF, each on pages of its own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from core.errors import ConflictError
from pipeline.mupdf.letters import letter_pages
from services.letters.list_letters import LetterView
from services.messages.letter import LetterRefused

#: Limit of letters in one file.
MOST = 200


def letter_pdf(letters: Sequence[LetterView]) -> bytes:
    """Return the letters as a PDF. Raises ConflictError for one whose text is gone."""
    if any(not letter.body for letter in letters):
        raise ConflictError(LetterRefused.ERASED)
    return letter_pages([as_html(letter.subject, letter.body) for letter in letters[:MOST]])


def as_html(subject: str, body: str) -> str:
    """Return a plain text as HTML: paragraphs and lines are kept, nothing in it is markup."""
    paragraphs = (escape(part).replace("\n", "<br>") for part in body.split("\n\n"))
    return f"<h3>{escape(subject)}</h3>" + "".join(f"<p>{part}</p>" for part in paragraphs)
