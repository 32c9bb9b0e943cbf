"""When the words of a page are enough, and when somebody has to look at it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import Displayed
from pipeline.pages.text_layer import read_text_layer
from pipeline.pages.text_trust import words_explain
from tests.support.reading.documents import drawn, encoded, essay_page


def explained(draw: Callable[[pymupdf.Page], object]) -> bool:
    with open_pdf(drawn(draw)) as file:
        parts = file.parts(1)
    return words_explain(read_text_layer(parts), parts.paint, Displayed(parts.shape))


def test_an_essay_is() -> None:
    assert explained(essay_page)


def test_a_small_logo_does_not_matter() -> None:
    def draw(page: pymupdf.Page) -> None:
        essay_page(page)
        page.insert_image((30, 30, 140, 60), stream=encoded(Image.effect_noise((110, 30), 90), "PNG"))

    assert explained(draw)


def _few_words(page: pymupdf.Page) -> None:
    page.insert_text((72, 72), "My father taught me to ride a bicycle")


def _picture(page: pymupdf.Page) -> None:
    essay_page(page)
    page.insert_image((0, 0, 612, 400), stream=encoded(Image.effect_noise((200, 130), 90), "PNG"))


def _one_bit_scan(page: pymupdf.Page) -> None:
    essay_page(page)
    page.insert_image(page.rect, stream=encoded(Image.new("1", (612, 792), 1), "PNG"))


def _outlines(page: pymupdf.Page) -> None:
    essay_page(page)
    for n in range(300):
        page.draw_rect(
            (72 + n % 30 * 15, 500 + n // 30 * 20, 84 + n % 30 * 15, 512 + n // 30 * 20), fill=(0, 0, 0)
        )


def _white_words(page: pymupdf.Page) -> None:
    essay_page(page)
    page.insert_text((72, 700), "Deadline", color=(1, 1, 1))


def _hidden_words(page: pymupdf.Page) -> None:
    essay_page(page)
    page.insert_text((72, 700), "recognised by somebody", render_mode=3)


@pytest.mark.parametrize("draw", [_few_words, _picture, _one_bit_scan, _outlines, _white_words, _hidden_words])
def test_others_are_to_be_looked_at(draw: Callable[[pymupdf.Page], object]) -> None:
    assert not explained(draw)
