"""Meaning besides words: which texts are near a question, near each other, or near nothing."""

from research.meaning.meaning import Meaning, NoMeaning
from research.meaning.nearness import (
    Text,
    covering,
    fused,
    likeness,
    near_duplicates,
    nearness_of,
    order_by_nearness,
    rank_by_words,
    rank_texts,
    without_languages,
)

__all__ = [
    "Meaning",
    "NoMeaning",
    "Text",
    "covering",
    "fused",
    "likeness",
    "near_duplicates",
    "nearness_of",
    "order_by_nearness",
    "rank_by_words",
    "rank_texts",
    "without_languages",
]
