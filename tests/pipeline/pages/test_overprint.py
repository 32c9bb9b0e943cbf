import pytest

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.text_layer import once, read_text_layer
from tests.support.reading.documents import drawn

LINES = ("My father keeps the", "the bees, the hens and", "the the garden gate")


def words(data: bytes) -> list[str]:
    with open_pdf(data) as file:
        return [word.text for word in read_text_layer(file.parts(1)).words]


def typed(page: pymupdf.Page, right: float = 0.0, down: float = 0.0) -> None:
    for number, line in enumerate(LINES):
        page.insert_text((72 + right, 100 + 14 * number + down), line, fontsize=11)


@pytest.mark.parametrize(("right", "down"), [(0.33, 0), (0, 0), (0, 0.4), (0.9, 0), (-0.3, 0.3)])
@pytest.mark.parametrize("rotation", [0, 90])
def test_type_that_is_drawn_again_to_be_bold_is_one(right: float, down: float, rotation: int) -> None:
    def draw(page: pymupdf.Page) -> None:
        for times in range(3):
            typed(page, times * right, times * down)
        page.set_rotation(rotation)

    def once(page: pymupdf.Page) -> None:
        typed(page)
        page.set_rotation(rotation)

    assert words(drawn(draw)) == words(drawn(once))
    assert len(words(drawn(once))) == len(" ".join(LINES).split())


def test_one_word_may_be_bold() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 100), "Ferdinand Ames", fontsize=11)
        page.insert_text((72.3, 100), "Ferdinand", fontsize=11)

    assert words(drawn(draw)) == ["Ferdinand", "Ames"]


def test_a_shadow_is_no_second_word() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((73.5, 101.5), "Marisol", fontsize=24, color=(0.6, 0.6, 0.6))
        page.insert_text((72, 100), "Marisol", fontsize=24)

    assert words(drawn(draw)) == ["Marisol"]


@pytest.mark.parametrize(
    ("text", "width", "read"),
    [
        ("inin", 8.6, "in"),
        ("iinn", 8.6, "in"),
        ("toto", 9.2, "to"),
        ("papa", 24.5, "papa"),
        ("lili", 9.8, "lili"),
        ("noon", 24.5, "noon"),
        ("II", 6.2, "II"),
        ("in", 8.6, "in"),
    ],
)
def test_a_short_word_that_is_drawn_again_at_once(text: str, width: float, read: str) -> None:
    assert once(text, width, 11) == read


def test_short_words_are_measured_along_their_line() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        for at in (72.0, 72.3):
            page.insert_text((at, 100), "if", fontsize=11)
            page.insert_text((at + 60, 100), "to", fontsize=11)
        data = bytes(document.tobytes())
    assert words(data) == ["if", "to"]
