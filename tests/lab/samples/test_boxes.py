"""Whatever happens to a page, the boxes of its values lie where the values are displayed."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from lab.samples.damage.photo import photograph
from lab.samples.damage.scan import append_scan, draw_scanner, scan, turn
from lab.samples.forms.sideways import turn_native
from lab.samples.part import DEMONSTRATION, PARTS, Part
from lab.samples.truth import Truth, UnitBox
from tests.support.long import some

PARTWISE = pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
_BOX = (0.4, 0.22, 0.62, 0.3)


def _page() -> pymupdf.Page:
    """A letter page with one black rectangle on it, in no symmetric place."""
    page = pymupdf.open().new_page(width=612, height=792)
    rect = pymupdf.Rect(_BOX[0] * 612, _BOX[1] * 792, _BOX[2] * 612, _BOX[3] * 792)
    page.draw_rect(rect, color=(0, 0, 0), fill=(0, 0, 0))
    return page


def _dark(picture: Any, near: UnitBox, limit: int = 110) -> float:
    """Share of the box that is dark."""
    grey = picture.mean(axis=2) if picture.ndim == 3 else picture
    height, width = grey.shape
    x0, y0, x1, y1 = (round(v * s) for v, s in zip(near, (width, height, width, height), strict=True))
    return float((grey[y0:y1, x0:x1] < limit).mean())


def _displayed(doc: pymupdf.Document) -> Any:
    pixels = doc[0].get_pixmap(dpi=72, colorspace=pymupdf.csGRAY, alpha=False)
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)


@pytest.mark.long
@PARTWISE
@pytest.mark.parametrize("seed", some(range(6), 3))
def test_a_photo_moves_boxes_along(part: Part, seed: int) -> None:
    photo = photograph(Random(seed), _page(), part)
    assert _dark(photo.picture, photo.move(_BOX)) > 0.7


@PARTWISE
@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
@pytest.mark.parametrize("lying", [0, 1, 3])
def test_a_scan_moves_boxes_along(part: Part, quarters: int, lying: int) -> None:
    rng = Random(quarters * 4 + lying)
    scanner = replace(draw_scanner(rng, part), dpi=100, one_bit=False)
    picture, move = turn(*scan(rng, _page(), scanner), quarters)
    doc = pymupdf.open()
    append_scan(doc, picture, scanner, lying)
    assert _dark(_displayed(doc), move(_BOX), limit=190) > 0.7


def _turned(wanted: str) -> tuple[pymupdf.Document, Truth]:
    """The first page that chance treats in the wanted way."""
    for seed in range(1000):
        page = _page()
        truth = Truth(boxes={"student_name": (1, _BOX)})
        turn_native(Random(seed), PARTS["development"], page.parent, [truth])
        if wanted in truth.hazards:
            return page.parent, truth
    raise AssertionError(wanted)


@pytest.mark.parametrize("hazard", ["displayed_sideways", "cropped_sheet"])
def test_turned_and_cropped_native_pages_move_boxes_along(hazard: str) -> None:
    doc, truth = _turned(hazard)
    again = pymupdf.open("pdf", doc.tobytes())
    assert _dark(_displayed(again), truth.boxes["student_name"][1]) > 0.95


def test_the_demonstration_turns_no_native_page() -> None:
    truth = Truth()
    for seed in range(60):
        turn_native(Random(seed), DEMONSTRATION, pymupdf.open(), [truth])
    assert not truth.hazards


@pytest.mark.parametrize("binarise", ["threshold", "dither", "local_threshold"])
def test_one_bit_pictures_have_two_shades(binarise: str) -> None:
    rng = Random(3)
    scanner = replace(draw_scanner(rng, PARTS["held_out"]), dpi=100, one_bit=True, binarise=binarise)
    doc = pymupdf.open()
    append_scan(doc, scan(rng, _page(), scanner)[0], scanner)
    stored = doc.extract_image(doc[0].get_images()[0][0])
    assert Image.open(BytesIO(stored["image"])).convert("L").getextrema() == (0, 255)
    assert stored["bpc"] == 1
