from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import Box
from pipeline.pages.text_layer import read_text_layer
from pipeline.pages.text_trust import EMPTY_INK, LONGEST, Look, ink_of, look_at
from tests.support.reading.documents import drawn, encoded, essay_page


def look(draw: Callable[[pymupdf.Page], object]) -> Look:
    with open_pdf(drawn(draw)) as file:
        return look_at(file.small(1, LONGEST))


def test_an_empty_page_has_no_ink() -> None:
    assert look(lambda page: None).ink_share == 0


def test_grey_paper_with_grain_and_a_shadow_has_no_ink() -> None:
    grain = np.random.default_rng(7).normal(0, 6, (792, 612))
    shade = np.linspace(225, 150, 612)[None, :].repeat(792, axis=0)
    assert ink_of((shade + grain).clip(0, 255).astype(np.uint8)).mean() < EMPTY_INK


def test_pencil_on_grey_paper_is_ink() -> None:
    paper = np.full((200, 200), 190, np.uint8)
    paper[90:93, 20:180] = 120
    assert ink_of(paper)[88:96, 20:180].mean() > 0.3


def test_words_account_for_the_ink_of_text() -> None:
    with open_pdf(drawn(essay_page)) as file:
        seen, words = look_at(file.small(1, LONGEST)), read_text_layer(file.parts(1)).words
    boxes = [word.box for word in words]
    assert seen.unread([]) == pytest.approx(seen.ink_share)
    assert seen.unread(boxes) < 0.05 * seen.read(boxes)


def test_blocks_of_colour_and_pictures_are_no_unread_writing() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.draw_rect((60, 60, 260, 160), color=None, fill=(0.6, 0.1, 0.1))
        page.insert_image((300, 300, 500, 500), stream=encoded(Image.effect_noise((200, 200), 90), "PNG"))

    seen = look(draw)
    assert seen.picture_share == pytest.approx(200 * 200 / (612 * 792), rel=0.05)
    assert seen.unread([]) < 0.003


def test_white_words_show_on_a_dark_ground_only() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.draw_rect((60, 60, 260, 160), color=None, fill=(0, 0, 0))
        page.insert_text((72, 100), "Deadline", color=(1, 1, 1))
        page.insert_text((72, 400), "unseen", color=(1, 1, 1))

    seen = look(draw)
    assert seen.shows(Box(70 / 612, 85 / 792, 130 / 612, 105 / 792))
    assert not seen.shows(Box(70 / 612, 385 / 792, 130 / 612, 405 / 792))


def test_a_page_turned_keeps_its_pictures_under_their_boxes() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_image((0, 0, 612, 396), stream=encoded(Image.new("L", (612, 396), 90), "PNG"))
        page.set_rotation(90)

    pictures = look(draw).pictures
    assert pictures[:, -100:].all() and not pictures[:, :100].any()
