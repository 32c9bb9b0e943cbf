from collections.abc import Callable

import pytest

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.mupdf.page_data import Rect
from pipeline.pages.page_model import Displayed
from tests.support.reading.documents import drawn, essay_page
from tests.support.reading.pen import Strokes, drawn_in, ink, strokes

NAME = strokes(200, 120, "Nina Bowers")


def around(rects: list[Rect]) -> Rect:
    x0s, y0s, x1s, y1s = zip(*rects, strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)


@pytest.mark.parametrize("write", [ink, drawn_in])
@pytest.mark.parametrize("rotation", [0, 90])
def test_strokes_are_found_and_drawn_alone(write: Callable[[pymupdf.Page, Strokes], None], rotation: int) -> None:
    def draw(page: pymupdf.Page) -> None:
        essay_page(page)
        page.draw_rect((190, 104, 400, 126))
        write(page, NAME)
        page.set_rotation(rotation)

    with open_pdf(drawn(draw)) as file:
        parts, picture = file.parts(1), file.pen(1, 1.0)
    assert around(parts.pen) == pytest.approx((200, 109, 279, 121), abs=3)
    box = Displayed(parts.shape).box(around(parts.pen))
    height, width = picture.shape
    assert (width, height) == (parts.shape.width, parts.shape.height)
    rows = slice(int(box.y0 * height) - 2, int(box.y1 * height) + 3)
    columns = slice(int(box.x0 * width) - 2, int(box.x1 * width) + 3)
    assert picture[rows, columns].min() < 160
    picture = picture.copy()
    picture[rows, columns] = 255
    assert picture.min() > 250


def test_strokes_of_a_cropped_page_lie_where_they_are_seen() -> None:
    def draw(page: pymupdf.Page) -> None:
        ink(page, NAME)
        page.set_cropbox((100, 50, 500, 700))

    with open_pdf(drawn(draw)) as file:
        assert around(file.parts(1).pen) == pytest.approx((100, 59, 179, 71), abs=3)


def furniture(page: pymupdf.Page) -> None:
    """What forms draw, and what readers of PDFs draw for their own signs."""
    essay_page(page)
    page.draw_rect((30, 30, 200, 60))
    page.draw_rect((30, 300, 200, 330), radius=0.3)
    page.draw_circle((300, 300), 5.5)
    page.draw_oval((320, 290, 360, 310))
    page.draw_line((30, 400), (500, 400))
    page.draw_line((30, 410), (60, 413))
    page.draw_polyline([(100, 500), (120, 500), (110, 520), (100, 500)], fill=(0, 0, 0))
    page.draw_polyline([(300 + 2 * x, 450 + (x * 7) % 11) for x in range(60)])
    page.draw_circle((400, 500), 20, fill=(0.2, 0.2, 0.2))
    page.draw_polyline([(200 + x, 520 + (x * 7) % 5) for x in range(60)], width=9, color=(1, 1, 0))
    page.draw_polyline([(200 + x, 560 + (x * 7) % 5) for x in range(60)], color=(1, 1, 1))
    page.add_squiggly_annot((72, 130, 300, 145))
    page.add_file_annot((500, 700), b"x", "a.txt")
    page.add_text_annot((450, 700), "a note")


def test_what_a_form_draws_is_no_stroke() -> None:
    with open_pdf(drawn(furniture)) as file:
        assert file.parts(1).pen == []


def test_a_drawing_of_many_paths_is_not_looked_through() -> None:
    def draw(page: pymupdf.Page) -> None:
        for at in range(3200):
            page.draw_line((at % 500, at / 5), (at % 500 + 5, at / 5 + 4))
        drawn_in(page, NAME)

    with open_pdf(drawn(draw)) as file:
        assert file.parts(1).pen == []
