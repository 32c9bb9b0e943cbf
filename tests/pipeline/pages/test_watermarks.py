from collections.abc import Callable

import pytest

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.text_layer import read_text_layer
from tests.support.reading.documents import drawn, essay_page

Draw = Callable[[pymupdf.Page], object]
Colour = tuple[float, float, float]


def words(draw: Draw) -> list[str]:
    """The words beside those of the essay."""

    def both(page: pymupdf.Page) -> None:
        essay_page(page)
        draw(page)

    with open_pdf(drawn(essay_page)) as plain, open_pdf(drawn(both)) as marked:
        usual = {word.text for word in read_text_layer(plain.parts(1)).words}
        return [word.text for word in read_text_layer(marked.parts(1)).words if word.text not in usual]


def slanted(
    page: pymupdf.Page, at: tuple[float, float], text: str, size: float, colour: Colour, opacity: float = 1
) -> None:
    turn = (pymupdf.Point(at), pymupdf.Matrix(1, 1).prerotate(35))
    page.insert_text(at, text, fontsize=size, color=colour, morph=turn, fill_opacity=opacity)


def tiles(page: pymupdf.Page, size: float, colour: Colour) -> None:
    for x in range(-20, 620, 150):
        for y in range(30, 800, 110):
            slanted(page, (x, y), "SCHOOL COPY", size, colour)


def level(page: pymupdf.Page) -> None:
    for x in range(30, 600, 150):
        for y in range(35, 800, 110):
            page.insert_text((x, y), "COPY", fontsize=13, color=(0.8, 0.8, 0.8))


@pytest.mark.parametrize(
    "draw",
    [
        lambda page: tiles(page, 20, (0.8, 0.8, 0.85)),
        lambda page: tiles(page, 11, (0, 0, 0)),
        lambda page: slanted(page, (120, 600), "DRAFT", 110, (0.85, 0.85, 0.85)),
        lambda page: slanted(page, (120, 600), "SAMPLE", 80, (0.9, 0, 0)),
        lambda page: slanted(page, (60, 700), "NOT FOR PUBLICATION", 14, (0, 0, 0), 0.25),
        lambda page: page.insert_text((90, 200), "COPY", fontsize=150, color=(0.88, 0.88, 0.88)),
        level,
    ],
)
def test_watermarks_are_no_words(draw: Draw) -> None:
    assert words(draw) == []


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda page: slanted(page, (100, 600), "Grandpa too", 12, (0, 0, 0)), ["Grandpa", "too"]),
        (lambda page: page.insert_text((72, 50), "Hero", fontsize=28, color=(0.7, 0.7, 0.7)), ["Hero"]),
        (lambda page: page.insert_text((72, 700), "optional", fontsize=9, color=(0.6, 0.6, 0.6)), ["optional"]),
        (lambda page: page.insert_text((590, 600), "District", fontsize=9, rotate=90), ["District"]),
    ],
)
def test_other_words_stay(draw: Draw, said: list[str]) -> None:
    assert sorted(words(draw)) == sorted(said)


def test_the_place_of_a_watermark_is_kept_so_that_its_ink_is_accounted_for() -> None:
    with open_pdf(drawn(lambda page: tiles(page, 20, (0.5, 0.5, 0.5)))) as file:
        layer = read_text_layer(file.parts(1))
    assert not layer.words and len(layer.aside) > 40
