"""What is embedded of a passage: the whole of it below its title, and each of its sentences."""

from __future__ import annotations

import hashlib

from research.text import split_sentences


def parts_of(title: str, heading: str | None, text: str, language: str) -> list[str]:
    """Return the passage with its title and heading, then its sentences."""
    return [whole_of(title, heading, text), *sentences_of(text, language)]


def whole_of(title: str, heading: str | None, text: str) -> str:
    """Return a passage below its title, as it is embedded: alone it may not say what it is about."""
    return ". ".join(part for part in (title.strip(), (heading or "").strip(), text.strip()) if part)


def sentences_of(text: str, language: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in split_sentences(text, language)]


def content_of(text: str) -> bytes:
    """Return the key that a text's vector is stored under."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
