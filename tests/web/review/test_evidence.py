"""The window on a page that shows one value."""

from __future__ import annotations

import uuid

from services.pages.document_pages import Document, PageView, Place
from web.evidence import crop_of

DOCUMENT = Document(uuid.UUID(int=1), "entry.pdf", [PageView(2, 600.0, 800.0, "header")])


def test_the_window_holds_the_box_and_stays_on_the_page() -> None:
    crop = crop_of(DOCUMENT, [Place(2, 0.9, 0.98, 1.0, 1.0)])
    assert crop is not None
    assert crop.x <= 540 and crop.y <= 784
    assert crop.x + crop.width == 600 and crop.y + crop.height == 800


def test_pieces_of_other_pages_are_left_out() -> None:
    here, there = Place(2, 0.1, 0.1, 0.2, 0.12), Place(3, 0.1, 0.9, 0.2, 0.92)
    crop = crop_of(DOCUMENT, [here, there])
    assert crop is not None and crop.places == [here]


def test_no_close_up_of_half_a_page() -> None:
    assert crop_of(DOCUMENT, [Place(2, 0.1, 0.2, 0.9, 0.8)]) is None


def test_nothing_to_show() -> None:
    assert crop_of(DOCUMENT, []) is None
    assert crop_of(DOCUMENT, [Place(7, 0.1, 0.2, 0.9, 0.3)]) is None
