"""The language that an entry is written in."""

from __future__ import annotations

from pipeline.profiles.declared import text_fields
from pipeline.schema import SubmissionRecord
from research.text.language import language_by_small_words


def submission_language(record: SubmissionRecord) -> str | None:
    """Return "en" or "es" by the words of the essay; None without words that tell."""
    return language_by_small_words(" ".join(record.value_of(name) or "" for name in text_fields()))
