"""Join an essay's lines into one text, and check it against the limits of the season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InvalidInputError
from pipeline.extraction.values.text import word_count
from pipeline.validation.characters import character_count
from pipeline.validation.policy import Policy
from services.entries.apply_decision import MAX_TEXT
from services.entries.essay_lines import MOST_LINES, is_broken
from services.messages.refused import Refused


@dataclass(frozen=True)
class EssayLimits:
    """Limits of an essay in words and characters."""

    min_words: int
    max_words: int | None
    max_characters: int

    @classmethod
    def of(cls, policy: Policy) -> EssayLimits:
        return cls(policy.min_essay_words, policy.max_essay_words, policy.max_essay_characters or MAX_TEXT)


def joined(lines: Sequence[str], before: str) -> str:
    """Return the lines as one text, without line ends if the text `before` had none."""
    kept = [line.strip() for line in lines]
    if before.strip() and not is_broken(before):
        return " ".join(line for line in kept if line)
    return "\n".join(kept).strip()


def check_limits(text: str, limits: EssayLimits) -> None:
    """Raise InvalidInputError for an essay that is too long. A short one is accepted and waits for a person."""
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        raise InvalidInputError(Refused.ESSAY_TOO_MANY_LINES, field="essay_text", count=lines, limit=MOST_LINES)
    words = word_count(text)
    if limits.max_words is not None and words > limits.max_words:
        raise InvalidInputError(
            Refused.ESSAY_TOO_MANY_WORDS, field="essay_text", count=words, limit=limits.max_words
        )
    characters = character_count(text)
    if characters > limits.max_characters:
        raise InvalidInputError(
            Refused.ESSAY_TOO_LONG, field="essay_text", count=characters, limit=limits.max_characters
        )
