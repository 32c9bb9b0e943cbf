"""What was read from a sample, as its row keeps it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from pipeline.pages.page_model import Box


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class ReadPlace(_Part):
    """A place on a page, 0-1 of the displayed page."""

    page: int
    box: Box


class ReadField(_Part):
    """One field as it was read."""

    name: str
    value: str | None
    confidence: float
    method: str
    places: tuple[ReadPlace, ...] = ()


class ReadPage(_Part):
    """A page of the sample and its size in points."""

    number: int
    width: float
    height: float


class ReadForm(_Part):
    """One filled form in the sample."""

    #: Key of the form that its page was recognised as.
    profile: str
    page_start: int
    page_end: int
    fields: tuple[ReadField, ...]


class SampleResult(_Part):
    """All that was read."""

    pages: tuple[ReadPage, ...]
    forms: tuple[ReadForm, ...]
    #: Whether the file has more filled forms than were read.
    more: bool = False
