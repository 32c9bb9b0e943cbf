"""Sources with a text, for rules that read them."""

from __future__ import annotations

from research.document import Reference
from research.readers.protocol import SourceText
from research.sources.base import Passage


def source_text(key: str, text: str, language: str = "en") -> SourceText:
    """A source in one passage."""
    return SourceText(
        Reference(key=key, title=f"Work of {key}"), "example.org", (Passage(text, 0, len(text)),), language
    )


def source_texts(language: str = "en", **texts: str) -> dict[str, SourceText]:
    """Sources by their keys."""
    return {key: source_text(key, text, language) for key, text in texts.items()}
