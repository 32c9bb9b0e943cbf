"""Handwritten forms whose answers leave their place, and forms in faint pencil."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from core.confined.mupdf import pymupdf
from lab.samples.forms.hand_sheet import draw_sheet
from lab.samples.hand.handwriting import draw_hand
from lab.samples.hand.overflow import WAYS
from lab.samples.part import PARTS, Part
from lab.samples.sets.faint import draw_faint
from lab.samples.sets.overflow import draw_overflow
from pipeline.profiles import all_profiles

pytestmark = pytest.mark.usefixtures("sample_fonts")
#: Ways whose answer is also where it belongs.
_ALSO_IN_PLACE = {"name_twice"}


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_reaches_beyond_its_field(way: str) -> None:
    part = PARTS["development"]
    for seed in range(2):
        rng = Random(f"{way}:{seed}")
        truth = draw_sheet(rng, part, pymupdf.open(), draw_hand(rng, part), way)
        assert way in truth.hazards
        _, (x0, y0, x1, y1) = truth.boxes[WAYS[way].field]
        zone = all_profiles()["ifi_2025"].fields[WAYS[way].field].zone
        assert zone is not None
        inside = zone.x0 - 4 <= x0 * 612 and x1 * 612 <= zone.x1 + 4 and y1 * 792 <= zone.y1 + 2
        inside = inside and zone.y0 - 6 <= y0 * 792
        assert (not inside) or way in _ALSO_IN_PLACE


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_every_way_occurs_and_no_entry_is_of_another_part(part: Part) -> None:
    samples = [sample for _, sample in draw_overflow(part, 7, len(WAYS))]
    assert {hazard for sample in samples for hazard in sample.truths[0].hazards} >= set(WAYS)
    assert {sample.part for sample in samples} == {part.name}


def test_faint_pencil_is_there_and_hardly_darker_than_the_paper() -> None:
    for _, sample in draw_faint(PARTS["development"], 7, 2):
        (truth,) = sample.truths
        page, (x0, y0, x1, y1) = truth.boxes["student_name"]
        with pymupdf.open("pdf", sample.data) as document:
            pixels = document[page - 1].get_pixmap(colorspace=pymupdf.csGRAY, alpha=False)
        grey = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)
        high, wide = grey.shape
        field = grey[round(y0 * high) : round(y1 * high), round(x0 * wide) : round(x1 * wide)]
        assert 3 < np.median(field) - np.percentile(field, 2) < 110
