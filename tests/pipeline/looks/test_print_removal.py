"""Labels are taken off the picture of a header, handwriting that crosses them is not."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from pipeline.extraction.placement import Placement
from pipeline.looks.label_removal import BareHeader, bare_header
from pipeline.pages.page_model import Box
from pipeline.profiles import Printed, all_profiles

FORM = all_profiles()["ifi_2026"]
LABELS = [p for p in FORM.printed if p.role in ("label", "option") and p.at is not None]
#: A stroke through the label of the grade.
STROKE = ((380, 117), (490, 122))


@pytest.fixture(scope="module")
def header() -> BareHeader:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for printed in LABELS:
            assert printed.at is not None
            page.insert_text((printed.at.x0 + 1, printed.at.cy + 3), printed.texts[0], fontsize=9)
        page.draw_line(*STROKE, width=2)
        pixels = page.get_pixmap(dpi=200)
    return bare_header(Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples), Placement(FORM))


def _ink(header: BareHeader, zone: Box) -> float:
    return float((np.asarray(header.cut(zone, 3.0).convert("L")) < 128).mean())


@pytest.mark.parametrize("label", [p for p in LABELS if p.field != "grade"], ids=lambda p: p.texts[0])
def test_a_label_is_gone(header: BareHeader, label: Printed) -> None:
    assert label.at is not None
    assert _ink(header, label.at) < 0.005


def test_a_stroke_through_a_label_remains(header: BareHeader) -> None:
    (x0, y0), (x1, y1) = STROKE
    for share in np.linspace(0.05, 0.95, 19):
        x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
        assert _ink(header, Box(x - 1, y - 2, x + 1, y + 2)) > 0.1


def test_outside_the_header_a_cut_is_white(header: BareHeader) -> None:
    assert _ink(header, Box(0, 700, 50, 720)) == 0.0
