"""Words that something was painted over are no words of the page; all that is seen stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.text_layer import TextLayer, read_text_layer
from tests.support.reading.documents import ESSAY, drawn, encoded

NAME = pymupdf.Rect(104, 88, 230, 104)
WHITE = (1, 1, 1)
Draw = Callable[[pymupdf.Page], object]


def layer_of(paint: Draw, rotation: int = 0) -> TextLayer:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 100), "Name: Olivia Prescott", fontsize=12)
        page.insert_text((72, 130), "Grade: 3", fontsize=12)
        page.insert_textbox((72, 200, 540, 500), ESSAY, fontsize=11)
        paint(page)
        page.set_rotation(rotation)

    with open_pdf(drawn(draw)) as file:
        return read_text_layer(file.parts(1))


def texts(layer: TextLayer) -> tuple[set[str], list[str]]:
    return {word.text for word in layer.words}, [word.text for word in layer.covered]


def picture(alpha: int, shade: int = 255) -> bytes:
    return encoded(Image.new("RGBA", (60, 20), (shade, shade, shade, alpha)), "PNG")


def annotated(page: pymupdf.Page) -> None:
    square = page.add_rect_annot(NAME)
    square.set_colors(stroke=WHITE, fill=WHITE)
    square.update()


def inked(page: pymupdf.Page) -> None:
    pen = page.add_ink_annot([[(104, 96), (230, 96)]])
    pen.set_colors(stroke=WHITE)
    pen.set_border(width=15)
    pen.update()


def striped(page: pymupdf.Page) -> None:
    for number in range(8):
        page.draw_line((104, 89 + 2 * number), (230, 89 + 2 * number), color=WHITE, width=2.4)


HIDING: dict[str, Draw] = {
    "a white rectangle": lambda page: page.draw_rect(NAME, fill=WHITE, color=None),
    "a black bar": lambda page: page.draw_rect(NAME, fill=(0, 0, 0), color=None),
    "an ellipse": lambda page: page.draw_oval((95, 80, 245, 112), fill=WHITE, color=None),
    "a picture": lambda page: page.insert_image(NAME, stream=picture(255), keep_proportion=False),
    "an annotation": annotated,
    "a pen's stroke": inked,
    "strokes side by side": striped,
}
SHOWING: dict[str, Draw] = {
    "nothing": lambda page: None,
    "a highlight": lambda page: page.add_highlight_annot(NAME),
    "thin color": lambda page: page.draw_rect(NAME, fill=(1, 1, 0), color=None, fill_opacity=0.4),
    "a frame": lambda page: page.draw_rect(NAME, color=(0, 0, 0)),
    "a rule": lambda page: page.draw_rect((72, 101, 230, 102), fill=(0, 0, 0), color=None),
    "a transparent picture": lambda page: page.insert_image(NAME, stream=picture(0), keep_proportion=False),
    "a watermark": lambda page: page.insert_image(page.rect, stream=picture(30, 128), keep_proportion=False),
}


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("kind", HIDING)
def test_words_under_paint_are_not_read(kind: str, rotation: int) -> None:
    seen, covered = texts(layer_of(HIDING[kind], rotation))
    assert covered == ["Olivia", "Prescott"] and not seen & set(covered)
    assert {"Name:", "Grade:", "3", "pancakes"} <= seen


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("kind", SHOWING)
def test_words_that_are_seen_are_read(kind: str, rotation: int) -> None:
    seen, covered = texts(layer_of(SHOWING[kind], rotation))
    assert covered == [] and {"Olivia", "Prescott"} <= seen


def test_what_is_written_over_the_paint_is_read() -> None:
    def paint(page: pymupdf.Page) -> None:
        page.draw_rect(NAME, fill=(0.98, 0.98, 0.98), color=None)
        page.insert_text((105, 100), "Amelia Stone", fontsize=12)

    seen, covered = texts(layer_of(paint))
    assert covered == ["Olivia", "Prescott"]
    assert {"Amelia", "Stone"} <= seen and not {"Olivia", "Prescott"} & seen


def test_a_note_with_a_ground_covers_what_is_under_it() -> None:
    def paint(page: pymupdf.Page) -> None:
        page.add_freetext_annot(NAME, "Amelia Stone", fontsize=11, fill_color=WHITE)

    assert texts(layer_of(paint))[1] == ["Olivia", "Prescott"]


def test_a_word_that_is_covered_in_part_is_read_and_named() -> None:
    seen, covered = texts(layer_of(lambda page: page.draw_rect((104, 88, 125, 104), fill=WHITE, color=None)))
    assert covered == ["Olivia"] and "Olivia" in seen


def test_text_under_a_picture_is_an_earlier_recognition() -> None:
    def paint(page: pymupdf.Page) -> None:
        page.insert_image((9, 9, 603, 783), stream=picture(255, 250), keep_proportion=False)

    layer = layer_of(paint)
    assert layer.words == [] and layer.hidden_letters > 200


def test_a_layer_that_is_off_is_not_read() -> None:
    def paint(page: pymupdf.Page) -> None:
        layer = page.parent.add_ocg("Sample entry", on=False)
        page.insert_text((104, 100), "Jane Sample", fontsize=12, oc=layer)

    seen, covered = texts(layer_of(paint))
    assert covered == [] and {"Olivia", "Prescott"} <= seen and not {"Jane", "Sample"} & seen


def test_a_field_with_a_ground_covers_what_is_under_it() -> None:
    def paint(page: pymupdf.Page) -> None:
        field = pymupdf.Widget()
        field.field_type, field.field_name, field.rect = pymupdf.PDF_WIDGET_TYPE_TEXT, "Name", NAME
        field.field_value, field.fill_color = "Amelia Stone", WHITE
        page.add_widget(field)

    seen, covered = texts(layer_of(paint))
    assert covered == ["Olivia", "Prescott"] and not seen & set(covered)


def test_thousands_of_shapes_over_thousands_of_words_are_no_matter() -> None:
    def draw(page: pymupdf.Page) -> None:
        for row in range(120):
            page.insert_text((20, 20 + 6 * row), "my dad and I " * 12, fontsize=5)
        shape = page.new_shape()
        for n in range(3000):
            shape.draw_rect((20 + n % 60 * 9, 20 + n // 60 * 15, 27 + n % 60 * 9, 30 + n // 60 * 15))
            shape.finish(fill=WHITE, color=None)
        shape.commit()

    with open_pdf(drawn(draw)) as file:
        assert len(read_text_layer(file.parts(1)).covered) > 100


@pytest.mark.parametrize("patch", ["shape", "picture"])
def test_a_digit_over_another_is_the_upper_one(patch: str) -> None:
    """The ink of an 8 holds that of a 3, so that only their order tells."""

    def paint(page: pymupdf.Page) -> None:
        place = pymupdf.Rect(110, 118, 130, 134)
        if patch == "shape":
            page.draw_rect(place, fill=WHITE, color=None)
        else:
            page.insert_image(place, stream=picture(255), keep_proportion=False)
        page.insert_text((112.6, 130), "8", fontsize=12)

    seen, covered = texts(layer_of(paint))
    assert covered == ["3"] and "8" in seen and "3" not in seen


def test_words_over_words_are_both_seen_through_a_watermark() -> None:
    def paint(page: pymupdf.Page) -> None:
        page.insert_image(page.rect, stream=picture(20, 128), keep_proportion=False)
        page.insert_text((110, 103), "Amelia Stone", fontsize=12)

    seen, covered = texts(layer_of(paint))
    assert covered == [] and {"Olivia", "Prescott", "Amelia", "Stone"} <= seen
