"""The reply of a model that was asked to write a section."""

from __future__ import annotations

from pydantic import BaseModel, Field


class QuoteGiven(BaseModel):
    """A quotation as the model gives it, not yet verified."""

    source_key: str
    #: Verbatim words of the excerpt.
    quote: str


class SentenceGiven(BaseModel):
    """A sentence and the quotations given to support it."""

    text: str
    quotes: list[QuoteGiven] = Field(default_factory=list)
    #: Whether it begins a new paragraph.
    new_paragraph: bool = False


class SectionGiven(BaseModel):
    """The sentences of a section in order."""

    sentences: list[SentenceGiven] = Field(default_factory=list)
