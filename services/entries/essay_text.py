"""An essay as one text and as lines, and the limits that a season sets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InvalidInputError
from pipeline.extraction.values.text import word_count
from pipeline.validation.policy import Policy
from services.entries.apply_decision import MAX_TEXT
from services.entries.essay_lines import is_broken


@dataclass(frozen=True)
class EssayLimits:
    """Words and characters that an essay may have."""

    min_words: int
    max_words: int | None
    max_characters: int

    @classmethod
    def of(cls, policy: Policy) -> EssayLimits:
        return cls(policy.min_essay_words, policy.max_essay_words, policy.max_essay_characters or MAX_TEXT)


def joined(lines: Sequence[str], before: str) -> str:
    """The lines as one text; where the text had no line ends before, it is given none."""
    kept = [line.strip() for line in lines]
    if before.strip() and not is_broken(before):
        return " ".join(line for line in kept if line)
    return "\n".join(kept).strip()


def check_limits(text: str, limits: EssayLimits) -> None:
    """Raises InvalidInputError for an essay that is too long. A short one is kept: it waits for a person."""
    words = word_count(text)
    if limits.max_words is not None and words > limits.max_words:
        raise InvalidInputError(f"essay_text: {words:,} words; at most {limits.max_words:,}")
    if len(text) > limits.max_characters:
        raise InvalidInputError(f"essay_text: {len(text):,} characters; at most {limits.max_characters:,}")
