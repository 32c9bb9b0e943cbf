import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.confined.mupdf import pymupdf
from pipeline.mupdf.page_data import PageShape
from pipeline.pages.page_model import Box, Displayed, inside, turn_box

_SHARES = st.floats(0.0, 1.0)
_BOXES = st.tuples(_SHARES, _SHARES, _SHARES, _SHARES).map(
    lambda t: Box(min(t[0], t[2]), min(t[1], t[3]), max(t[0], t[2]), max(t[1], t[3]))
)


@settings(deadline=None, max_examples=60)
@given(
    rotation=st.sampled_from((0, 90, 180, 270)),
    left=st.integers(0, 150),
    top=st.integers(0, 150),
    right=st.integers(0, 150),
    bottom=st.integers(0, 150),
    x=st.integers(160, 400),
    y=st.integers(160, 560),
)
def test_boxes_lie_where_the_ink_is_at_every_rotation_and_crop(
    rotation: int, left: int, top: int, right: int, bottom: int, x: int, y: int
) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        drawn = pymupdf.Rect(x, y, x + 37, y + 11)
        page.draw_rect(drawn, color=None, fill=(0, 0, 0))
        page.set_cropbox(pymupdf.Rect(left, top, 612 - right, 792 - bottom))
        page.set_rotation(rotation)
        unrotated = drawn - (left, top, left, top)
        shape = PageShape(tuple(page.rotation_matrix), page.rect.width, page.rect.height)
        box = Displayed(shape).box(unrotated)
        pixels = page.get_pixmap(dpi=216, colorspace=pymupdf.csGRAY)
        ink = _ink_box(pixels)
    expected = (box.x0 * pixels.width, box.y0 * pixels.height, box.x1 * pixels.width, box.y1 * pixels.height)
    assert max(abs(a - b) for a, b in zip(ink, expected, strict=True)) <= 2


def _ink_box(pixels: pymupdf.Pixmap) -> tuple[int, int, int, int]:
    grey = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)
    ys, xs = np.nonzero(grey < 128)
    return int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1


@given(box=_BOXES, degrees=st.sampled_from((0, 90, 180, 270)))
def test_turning_there_and_back_changes_nothing(box: Box, degrees: int) -> None:
    back = turn_box(turn_box(box, degrees), -degrees)
    assert all(abs(a - b) < 1e-9 for a, b in zip(back, box, strict=True))


def test_turning_is_clockwise() -> None:
    upper_left = Box(0.0, 0.0, 0.2, 0.1)
    assert turn_box(upper_left, 90) == Box(0.9, 0.0, 1.0, 0.2)
    assert turn_box(upper_left, 180) == Box(0.8, 0.9, 1.0, 1.0)
    assert turn_box(upper_left, 270) == Box(0.0, 0.8, 0.1, 1.0)


def test_only_what_lies_on_the_page_is_kept() -> None:
    assert inside(Box(-0.2, 0.5, 0.3, 1.4)) == Box(0.0, 0.5, 0.3, 1.0)
