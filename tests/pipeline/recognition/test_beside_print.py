import pytest
from PIL import Image, ImageDraw, ImageFont

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.pages.page_model import PageContent, Source
from pipeline.reason_codes import ReasonCode
from pipeline.recognition.page_contents import read_pages
from tests.support.reading.documents import ESSAY, drawn, encoded
from tests.support.reading.pen import Strokes, drawn_in, ink, strokes

SETTINGS = load_settings(ocr_dpi=100)
LETTERS = ImageFont.load_default(size=42)


def typed(page: pymupdf.Page) -> None:
    page.insert_text((72, 80), "Name:", fontsize=12)
    page.insert_text((72, 100), "School: Lakeview Elementary School", fontsize=12)
    page.insert_textbox((72, 130, 540, 400), ESSAY, fontsize=12)


def written(lines: Strokes, write: object = ink) -> bytes:
    def draw(page: pymupdf.Page) -> None:
        typed(page)
        write(page, lines)  # type: ignore[operator]

    return drawn(draw)


def read_one(pdf: bytes) -> PageContent:
    (page,) = read_pages(pdf, SETTINGS, None)
    return page


def by_source(page: PageContent, source: Source) -> list[str]:
    return [word.text for word in page.words if word.source is source]


def test_pen_strokes_are_added_to_typed_words() -> None:
    for write in (ink, drawn_in):
        page = read_one(written(strokes(115, 82, "Oscar Moreno", 16), write))
        assert by_source(page, Source.OCR) == ["Oscar", "Moreno"]
        typed_words = [word for word in page.words if word.source is Source.TEXT_LAYER]
        assert [word.text for word in typed_words[:4]] == ["Name:", "School:", "Lakeview", "Elementary"]
        assert {word.confidence for word in typed_words} == {1.0}
        assert page.source is Source.OCR
        assert (page.by_pen, page.distrust, page.doubts) == (True, None, [])
        name = next(word for word in page.words if word.text == "Oscar")
        assert abs(name.box.x0 * 612 - 115) < 4
        assert abs(name.box.y1 * 792 - 82) < 5
        assert name.line not in {word.line for word in typed_words}


def layer(box: tuple[int, int, int, int], text: str, opacity: int) -> bytes:
    """A picture of this many points with a text in dark blue on white."""
    size = (box[2] - box[0]) * 3, (box[3] - box[1]) * 3
    picture = Image.new("RGBA", size, (255, 255, 255, opacity))
    ImageDraw.Draw(picture).text((345 - 3 * box[0], 200 - 3 * box[1]), text, (20, 20, 110, 255), font=LETTERS)
    return encoded(picture, "PNG")


@pytest.mark.parametrize("box", [(0, 0, 612, 792), (60, 60, 500, 150)])
@pytest.mark.parametrize("over", [True, False])
def test_a_picture_with_writing_over_or_under_type_is_read(box: tuple[int, int, int, int], over: bool) -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_textbox((72, 420, 540, 700), ESSAY, fontsize=12)
        typed(page)
        page.insert_image(box, stream=layer(box, "Oscar Moreno", 0 if over else 255), overlay=over)

    page = read_one(drawn(draw))
    assert by_source(page, Source.OCR) == ["Oscar", "Moreno"]
    assert "Lakeview" in by_source(page, Source.TEXT_LAYER)
    assert not page.by_pen


def test_a_photo_behind_words_is_no_writing() -> None:
    def draw(page: pymupdf.Page) -> None:
        picture = Image.effect_noise((300, 200), 90).convert("RGB")
        page.insert_image((60, 60, 500, 200), stream=encoded(picture, "PNG"))
        page.insert_textbox((72, 220, 540, 700), ESSAY, fontsize=12)
        page.insert_text((72, 80), "Name: Marisol Quintero Vega", fontsize=12)

    assert read_one(drawn(draw)).source is Source.TEXT_LAYER


def line(x0: float, x1: float, y: float) -> Strokes:
    return [[(x0 + at * (x1 - x0) / 30, y + at % 2) for at in range(31)]]


def test_a_typed_word_that_is_crossed_out_is_noted() -> None:
    assert ReasonCode.NOT_AS_SHOWN.value in read_one(written(line(112, 172, 96))).doubts


def test_a_typed_word_that_is_underlined_is_as_shown() -> None:
    assert read_one(written(line(112, 172, 104))).doubts == []


def test_a_scribble_that_cannot_be_read_is_noted() -> None:
    scribble: Strokes = [[(150 + at, 600 + (at * 37) % 23) for at in range(60)]]
    page = read_one(written(scribble))
    if not by_source(page, Source.OCR):
        assert page.doubts == [ReasonCode.UNREAD_CONTENT.value]


def test_a_tick_is_no_writing_to_be_read() -> None:
    page = read_one(written([[(150.0, 600.0), (153.0, 605.0), (162.0, 592.0)]]))
    assert (page.by_pen, page.doubts, page.words[0].text) == (True, [], "Name:")
