"""What a model answers when it is asked to write a section."""

from __future__ import annotations

from pydantic import BaseModel, Field


class QuoteGiven(BaseModel):
    """A quotation as the model gives it; nothing of it is believed."""

    source_key: str
    #: Verbatim words of the excerpt.
    quote: str


class SentenceGiven(BaseModel):
    """A sentence, and what is said to carry it."""

    text: str
    quotes: list[QuoteGiven] = Field(default_factory=list)
    #: Whether a new paragraph begins with it.
    new_paragraph: bool = False


class SectionGiven(BaseModel):
    """A section's sentences in order."""

    sentences: list[SentenceGiven] = Field(default_factory=list)
