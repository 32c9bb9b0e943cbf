"""Models shared by several answers: places, fields, pages."""

from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import Field

from web.api.protocol.wire import Share, Shown, Told


class Place(Shown):
    """A rectangle on a page, in fractions (0-1) of the displayed page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class FieldValue(Shown):
    """One field of the record: its value, its confidence, and all places that it was read from."""

    name: str
    value: str | None
    confidence: Share
    source: str | None = Field(description="acroform, text_layer, ocr, model, school_list, person or null.")
    method: str | None
    places: list[Place]
    probability: Share | None = Field(description="How probably the value is right; null: not estimated.")
    decided_by: str | None = Field(description="Who confirmed or gave the value.")
    decided_at: datetime | None = Field(description="When; null: nobody but the machine has seen it.")


class PageShape(Shown):
    """One page of the entry: its size in points and its part in the form."""

    number: int
    width: float
    height: float
    role: str
    turned: int = Field(
        description="Clockwise degrees by which it was turned to be read; places are of it as it came in."
    )


class DocumentShape(Shown):
    """The file of the entry, and the entry's pages in it."""

    upload_id: uuid.UUID
    filename: str
    pages: list[PageShape]


class HistoryLine(Shown):
    """One event of the record, or one step of the supervisor."""

    at: datetime
    kind: str
    is_step: bool
    actor: str | None = Field(description="null: the machine.")
    field_name: str | None
    before: str | None
    after: str | None
    reason: str | None = Field(description="What the person wrote.")
    message: Told | None = Field(description="What the machine says.")
    run_no: int | None
    duration_ms: int | None
    model: str | None
