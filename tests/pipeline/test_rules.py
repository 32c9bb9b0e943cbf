import pymupdf
import pytest

from pipeline.page_model import Box
from pipeline.rules import drawn_rules
from tests.support.documents import drawn


def rules(draw: object) -> list[Box]:
    with pymupdf.open("pdf", drawn(draw)) as document:  # type: ignore[arg-type]
        return drawn_rules(document[0])


def test_lines_and_boxes_are_found_from_the_top() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.draw_rect((36, 220, 576, 640))
        page.draw_line((100, 120), (400, 120))
        page.draw_line((50, 50), (55, 50))

    line, box = rules(draw)
    assert tuple(line) == pytest.approx((100 / 612, 120 / 792, 400 / 612, 120 / 792), abs=0.003)
    assert tuple(box) == pytest.approx((36 / 612, 220 / 792, 576 / 612, 640 / 792), abs=0.003)


def test_a_drawing_of_very_many_paths_is_left_alone() -> None:
    def draw(page: pymupdf.Page) -> None:
        shape = page.new_shape()
        for n in range(1600):
            shape.draw_line((50, 50 + n / 4), (200, 50 + n / 4))
            shape.finish()
        shape.commit()

    assert rules(draw) == []


def test_a_page_of_text_has_none() -> None:
    assert rules(lambda page: page.insert_text((72, 72), "words")) == []
