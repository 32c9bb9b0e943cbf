"""A field that draws shapes instead of text is recognised at its place, and no other field is."""

from __future__ import annotations

import pytest

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText
from pipeline.pages.page_model import Widget
from pipeline.recognition.page_contents import read_pages
from tests.support.reading.documents import drawn

SETTINGS = load_settings()


class Reads:
    """A recogniser that finds one text in any line, and is asked for lines alone."""

    name, version, places_known = "reads", "1", True

    def __init__(self, text: str) -> None:
        self._text = text
        self.asked: list[tuple[int, ...]] = []

    def preload(self) -> None: ...

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        raise AssertionError("a page was recognised")

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        self.asked.append(picture.shape)
        return RecognisedText(self._text, 0.9)


def form(looks: bytes | None, value: str = "Noah Pemberly") -> bytes:
    """A page with a field whose appearance is replaced."""

    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 113), "Student's Name")
        widget = pymupdf.Widget()
        widget.field_type, widget.field_name, widget.field_value = pymupdf.PDF_WIDGET_TYPE_TEXT, "Name", value
        widget.rect = pymupdf.Rect(200, 100, 400, 118)
        page.add_widget(widget)
        if looks is not None:
            document = page.parent
            xref = next(iter(page.widgets())).xref
            document.update_stream(int(document.xref_get_key(xref, "AP/N")[1].split()[0]), looks)

    return drawn(draw)


def read(pdf: bytes, recogniser: Reads) -> Widget:
    (page,) = read_pages(pdf, SETTINGS, None, recogniser)
    return page.widgets[0]


SHAPES = b"0 g 5 4 40 9 re f 60 4 70 9 re f"


@pytest.mark.parametrize(
    ("recognised", "value", "other"),
    [
        ("Ella Pemberly", "Ella Pemberly", "Noah Pemberly"),
        ("Noah Pemberiy", "Noah Pemberly", None),
        ("", "Noah Pemberly", ""),
    ],
)
def test_what_is_drawn_in_shapes_is_recognised(recognised: str, value: str, other: str | None) -> None:
    recogniser = Reads(recognised)
    widget = read(form(SHAPES), recogniser)
    assert (widget.value, widget.other, len(recogniser.asked)) == (value, other, 1)


def test_an_empty_place_is_not_recognised() -> None:
    recogniser = Reads("Ella Pemberly")
    widget = read(form(b"1 g 0 0 200 18 re f"), recogniser)
    assert (widget.value, widget.other, recogniser.asked) == ("Noah Pemberly", "", [])


def test_text_is_not_recognised() -> None:
    recogniser = Reads("Ella Pemberly")
    widget = read(form(None), recogniser)
    assert (widget.value, widget.other, recogniser.asked) == ("Noah Pemberly", None, [])
