"""What a season asks of an entry before it counts as complete."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from core.config import Settings
from pipeline.schema import DocClass

DEFAULT_REQUIRED: tuple[str, ...] = ("student_name", "school_name", "grade", "essay_text")


class Policy(BaseModel):
    """The rules of one season, with the thresholds that apply to it."""

    model_config = ConfigDict(frozen=True)

    #: For classes that differ from `default_required`.
    required: dict[DocClass, tuple[str, ...]] = Field(default_factory=dict)
    #: Also where a form does not ask for it.
    default_required: tuple[str, ...] = DEFAULT_REQUIRED
    min_essay_words: int = 50
    #: What a corrected essay may have at most; None where the season sets no limit.
    max_essay_words: int | None = Field(default=None, ge=1)
    max_essay_characters: int | None = Field(default=None, ge=1)
    #: Canonical names with their aliases; empty where the season has no list.
    known_schools: dict[str, list[str]] = Field(default_factory=dict)
    complete_confidence: float = 0.9
    weak_field_confidence: float = 0.8

    @classmethod
    def from_settings(cls, settings: Settings, known_schools: dict[str, list[str]] | None = None) -> Self:
        """The policy of a season that has set nothing of its own."""
        return cls(
            min_essay_words=settings.min_essay_words,
            complete_confidence=settings.complete_confidence,
            weak_field_confidence=settings.weak_field_confidence,
            known_schools=known_schools or {},
        )

    def required_for(self, doc_class: DocClass | None) -> tuple[str, ...]:
        """The fields that an entry of this class must have."""
        return self.required.get(doc_class, self.default_required) if doc_class else self.default_required
