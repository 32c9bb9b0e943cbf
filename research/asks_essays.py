"""Whether a question is about the entries' own essays."""

from __future__ import annotations

from research.text import content_stems

_WORDS = {
    "en": "essay essays entry entries",
    "es": "ensayo ensayos redacción redacciones",
}


def asks_essays(query: str) -> bool:
    """Whether the question names essays or entries, in either language."""
    return any(
        set(content_stems(words, language)) & set(content_stems(query, language))
        for language, words in _WORDS.items()
    )
