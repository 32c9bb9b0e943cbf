"""Meaning besides words: which texts are near a question, near each other, or near nothing."""

from research.meaning.meaning import Meaning, NoMeaning
from research.meaning.nearness import coverage, covering, likeness, near_duplicates, order_by_nearness
from research.meaning.ranking import Text, fused, rank_texts
from research.meaning.stored import open_meaning

__all__ = [
    "Meaning",
    "NoMeaning",
    "Text",
    "coverage",
    "covering",
    "fused",
    "likeness",
    "near_duplicates",
    "open_meaning",
    "order_by_nearness",
    "rank_texts",
]
