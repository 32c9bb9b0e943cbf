"""Confidence in words, with the thresholds of the supervisor."""

from __future__ import annotations

from core.config import Settings
from web.i18n import mark, translated


def _words(confidence: float | None, settings: Settings) -> str:
    if confidence is None:
        return mark("unknown")
    if confidence >= settings.complete_confidence:
        return mark("sure")
    if confidence >= settings.weak_field_confidence:
        return mark("fairly sure")
    if confidence >= settings.retry_confidence:
        return mark("unsure")
    return mark("very unsure")


def confidence_words(confidence: float | None, settings: Settings) -> str:
    """Return the confidence in words, in the language of the request."""
    return translated(_words(confidence, settings))


def confidence_level(confidence: float | None, settings: Settings) -> str:
    """Return the confidence as a class of the stylesheet: high, medium, low or none."""
    words = _words(confidence, settings)
    return {"sure": "high", "fairly sure": "high", "unsure": "medium", "very unsure": "low"}.get(words, "none")
