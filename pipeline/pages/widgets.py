"""The AcroForm fields of a page, at their places on it."""

from __future__ import annotations

from pipeline.mupdf.plain import PageParts
from pipeline.pages.geometry import Displayed
from pipeline.pages.page_model import Widget


def widgets_of(parts: PageParts) -> list[Widget]:
    """Return the fields in the order of the file."""
    displayed = Displayed(parts.shape)
    return [
        Widget(field.name, field.kind, field.value, displayed.box(field.rect), field.checked, field.max_length)
        for field in parts.fields
    ]
