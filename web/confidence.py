"""Confidence in words. The bounds are those that the supervisor works with."""

from __future__ import annotations

from core.config import Settings


def confidence_words(confidence: float | None, settings: Settings) -> str:
    """How sure the reading is, as people say it."""
    if confidence is None:
        return "unknown"
    if confidence >= settings.complete_confidence:
        return "sure"
    if confidence >= settings.weak_field_confidence:
        return "fairly sure"
    if confidence >= settings.retry_confidence:
        return "unsure"
    return "very unsure"


def confidence_level(confidence: float | None, settings: Settings) -> str:
    """The same as a class of the stylesheet: high, medium, low or none."""
    words = confidence_words(confidence, settings)
    return {"sure": "high", "fairly sure": "high", "unsure": "medium", "very unsure": "low"}.get(words, "none")
