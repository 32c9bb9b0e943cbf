"""The language that an entry is written in."""

from __future__ import annotations

from pipeline.profiles.declared import text_fields
from pipeline.schema import SubmissionRecord
from pipeline.validation.defaults import NO_DEFAULTS, Defaults
from research.text.languages import language_by_small_words


def submission_language(record: SubmissionRecord, defaults: Defaults = NO_DEFAULTS) -> tuple[str | None, bool]:
    """Return "en" or "es" by the words of the essay, and whether it is only what was said of the batch.

    None without words that tell, where nothing was said.
    """
    told = language_by_small_words(" ".join(record.value_of(name) or "" for name in text_fields()))
    return (told, False) if told else (defaults.language, defaults.language is not None)
