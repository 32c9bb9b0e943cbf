"""The season's school list as a witness: what stands on it was hardly misread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.extraction.combine import AGREED
from pipeline.extraction.values.schools import match_school
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading

#: From this likeness (0-100) on, a recognised name is the listed one with a letter or two misread.
MEANT = 90.0
#: From here on, the list confirms a value as it was read.
CONFIRMED = 97.0


def confirmed(reading: FieldReading, schools: Mapping[str, Sequence[str]]) -> FieldReading:
    """The reading, surer where the list knows it; a recogniser's near miss is written as the list has it."""
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
