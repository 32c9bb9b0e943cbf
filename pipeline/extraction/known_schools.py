"""Confirm readings by the season's school list: a name that is listed was probably read correctly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.extraction.combine import AGREED
from pipeline.extraction.values.schools import match_school
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading

#: From this similarity (0-100) on, a recognised name is the listed one with a letter or two misread.
MEANT = 90.0
#: From this similarity (0-100) on, the list confirms the value as read.
CONFIRMED = 97.0


def confirmed(reading: FieldReading, schools: Mapping[str, Sequence[str]]) -> FieldReading:
    """Raise the confidence of a listed name; replace a recognised near miss by the listed spelling."""
    hit = match_school(reading.value, schools, MEANT) if reading.value else None
    if hit is None or reading.disagrees_with:
        return reading
    name, likeness = hit
    if likeness >= CONFIRMED:
        method = f"{reading.method} + school list"
        return reading.model_copy(update={"confidence": max(reading.confidence, AGREED), "method": method})
    if reading.source is not Source.OCR:
        return reading
    return reading.model_copy(update={"value": name, "method": f"{reading.method}, as the school list has it"})
