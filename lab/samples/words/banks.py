"""Word lists written as text."""

from __future__ import annotations


def listed(text: str) -> list[str]:
    """The parts between bars, each on whatever lines, spaces collapsed."""
    return [" ".join(part.split()) for part in text.split("|")]


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()
