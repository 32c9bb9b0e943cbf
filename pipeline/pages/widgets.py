"""The AcroForm fields of a page, at their places on it."""

from __future__ import annotations

from core.characters import storable
from pipeline.mupdf.plain import Field, PageParts
from pipeline.pages.appearance import seen_value
from pipeline.pages.geometry import Displayed
from pipeline.pages.page_model import Widget


def widgets_of(parts: PageParts) -> list[Widget]:
    """Return the fields in the order of the file, with what the page shows for them."""
    displayed = Displayed(parts.shape)
    return [_widget(field, displayed) for field in parts.fields]


def _widget(field: Field, displayed: Displayed) -> Widget:
    seen = seen_value(field)
    return Widget(
        storable(field.name),
        field.kind,
        seen.value,
        displayed.box(field.rect),
        field.checked,
        field.max_length,
        seen.other,
        seen.illegible,
    )
