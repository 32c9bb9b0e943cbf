"""The window on a page that shows one value."""

from __future__ import annotations

import uuid

import pytest

from services.pages import Document, PagePlace, PageView
from web.templating import crop_of

#: Places of one value, and of its page turned clockwise to be read.
TURNED = {
    90: PagePlace(2, 0.1, 0.5, 0.12, 0.9),
    180: PagePlace(2, 0.5, 0.88, 0.9, 0.9),
    270: PagePlace(2, 0.88, 0.1, 0.9, 0.5),
}
DOCUMENT = Document(uuid.UUID(int=1), "entry.pdf", [PageView(2, 600.0, 800.0, "header")])


def test_the_window_holds_the_box_and_stays_on_the_page() -> None:
    crop = crop_of(DOCUMENT, [PagePlace(2, 0.9, 0.98, 1.0, 1.0)])
    assert crop is not None
    assert crop.x <= 540 and crop.y <= 784
    assert crop.x + crop.width == 600 and crop.y + crop.height == 800


def test_pieces_of_other_pages_are_left_out() -> None:
    here, there = PagePlace(2, 0.1, 0.1, 0.2, 0.12), PagePlace(3, 0.1, 0.9, 0.2, 0.92)
    crop = crop_of(DOCUMENT, [here, there])
    assert crop is not None and crop.places == [here]


def test_no_close_up_of_half_a_page() -> None:
    assert crop_of(DOCUMENT, [PagePlace(2, 0.1, 0.2, 0.9, 0.8)]) is None


def test_nothing_to_show() -> None:
    assert crop_of(DOCUMENT, []) is None
    assert crop_of(DOCUMENT, [PagePlace(7, 0.1, 0.2, 0.9, 0.3)]) is None


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_a_page_that_was_turned_to_be_read_is_cut_out_as_it_is_read(turned: int) -> None:
    """The margins are wide before the writing and behind it, narrow over it; the window lies as the writing."""
    document = Document(uuid.UUID(int=1), "photo.jpg", [PageView(2, 800.0, 800.0, "header", turned)])
    crop = crop_of(document, [TURNED[turned]])
    assert crop is not None
    left, _, width, height = crop.view_box
    # In the turned page the value stands at 0.1–0.5 of its width.
    start = {90: -800, 180: -800, 270: 0}[turned]
    assert left == pytest.approx(start + max(0.0, 0.1 * 800 - 110), abs=0.1)
    assert left + width == pytest.approx(start + 0.5 * 800 + 40, abs=0.1)
    assert height == pytest.approx(0.02 * 800 + 18, abs=0.1)
