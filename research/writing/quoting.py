"""Format sentences of sources for a body: in quotation marks, followed by their marker."""

from __future__ import annotations

from collections.abc import Sequence

from research.config import Language
from research.markdown_text import as_markdown
from research.writing.claims import ClaimBook
from research.writing.evidence import Sentence
from research.writing.wording import WORDING


def quoted(sentence: Sentence, book: ClaimBook, language: Language) -> str:
    """Return a sentence in quotation marks and its marker."""
    words = WORDING[language]
    return f"{words.left}{as_markdown(sentence.text)}{words.right} {book.marker(sentence)}"


def paragraph(sentences: Sequence[Sentence], book: ClaimBook, language: Language) -> str:
    """Return the sentences as one paragraph."""
    return " ".join(quoted(sentence, book, language) for sentence in sentences)


def side_by_side(lead: str, sentences: Sequence[Sentence], book: ClaimBook, language: Language) -> str:
    """Return a lead sentence followed by the sentences as list items."""
    return "\n".join([lead, "", *(f"- {quoted(sentence, book, language)}" for sentence in sentences)])
