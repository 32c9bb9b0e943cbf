"""Meaning besides words: which texts are near a question, near each other, or near nothing."""

from research.meaning.meaning import Meaning, NoMeaning

__all__ = ["Meaning", "NoMeaning"]
