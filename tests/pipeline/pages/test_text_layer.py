from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import Source
from pipeline.pages.text_layer import TextLayer, read_text_layer
from tests.support.reading.documents import drawn

Draw = Callable[[pymupdf.Page], object]


def layer_of(draw: Draw) -> TextLayer:
    return layer_in(drawn(draw))


def layer_in(data: bytes) -> TextLayer:
    with open_pdf(data) as file:
        return read_text_layer(file.parts(1))


def texts(draw: Draw) -> list[str]:
    return [word.text for word in layer_of(draw).words]


def html(text: str) -> Draw:
    """Unicode text, through a font that has it all."""
    return lambda page: page.insert_htmlbox((72, 72, 540, 700), text)


@pytest.mark.parametrize("space", ["\u200b", "\u00a0", "\u2009", "\u3000", "\ufeff"])
def test_odd_spaces_part_words(space: str) -> None:
    assert texts(html(f"Marisol{space}Quintero")) == ["Marisol", "Quintero"]


@pytest.mark.parametrize(
    ("drawn_as", "said"), [("ﬁnal", "final"), ("Ibáñez", "Ibáñez"), ("Ⅳ", "IV"), ("Step\u2011Dad", "Step‐Dad")]
)
def test_letters_are_normal(drawn_as: str, said: str) -> None:
    assert texts(html(drawn_as)) == [said]


def test_lines_come_in_visual_order_and_words_share_theirs() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 700), "last line")
        page.insert_text((300, 100), "beside it")
        page.insert_text((72, 100), "first line")

    words = layer_of(draw).words
    assert " ".join(word.text for word in words) == "first line beside it last line"
    assert [word.line for word in words] == [0, 0, 1, 1, 2, 2]


def test_type_is_described() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 100), "Title", fontsize=24, fontname="hebo")
        page.insert_text((72, 140), "body", fontsize=9)

    title, body = layer_of(draw).words
    assert (title.size, title.bold, body.size, body.bold) == (24, True, 9, False)
    assert (body.confidence, body.source) == (1.0, Source.TEXT_LAYER)


@pytest.mark.parametrize("options", [{"render_mode": 3}, {"fill_opacity": 0}], ids=["mode 3", "transparent"])
def test_hidden_text_is_counted_and_left_out(options: dict[str, int]) -> None:
    layer = layer_of(lambda page: page.insert_text((72, 100), "machine words", **options))
    assert (layer.words, layer.hidden_letters) == ([], 12)


def test_text_off_the_page_is_left_out() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((700, 100), "outside")
        page.insert_text((-200, 100), "before")
        page.insert_text((72, 100), "inside")

    assert texts(draw) == ["inside"]


def test_white_words_are_marked() -> None:
    layer = layer_of(lambda page: page.insert_text((72, 100), "Deadline", color=(1, 1, 1)))
    assert layer.white == [layer.words[0].box]


def test_what_annotations_write_is_apart_from_the_text() -> None:
    assert texts(lambda page: page.add_freetext_annot((72, 100, 300, 130), "Lakeview Elementary")) == []


@pytest.mark.parametrize(("rotate", "turned"), [(0, 0), (90, 90), (180, 180), (270, 270)])
def test_text_that_runs_sideways_says_how_to_turn_the_page(rotate: int, turned: int) -> None:
    # PyMuPDF's `rotate` is anti-clockwise.
    layer = layer_of(lambda page: page.insert_text((300, 400), "My father listens", rotate=rotate))
    assert layer.turned == turned
    assert [word.text for word in layer.words] == ["My", "father", "listens"]


@settings(deadline=None, max_examples=40)
@given(
    rotation=st.sampled_from((0, 90, 180, 270)),
    crop=st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(0, 90), st.integers(0, 90)),
    x=st.integers(100, 380),
    y=st.integers(120, 600),
)
def test_words_lie_where_they_are_displayed(
    rotation: int, crop: tuple[int, int, int, int], x: int, y: int
) -> None:
    left, top, right, bottom = crop
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_text((x, y), "Quintero", fontsize=20)
        width = pymupdf.get_text_length("Quintero", fontsize=20)
        page.set_cropbox(pymupdf.Rect(left, top, 612 - right, 792 - bottom))
        page.set_rotation(rotation)
        (word,) = layer_in(document.tobytes()).words
        across = (page.rect.width, page.rect.height)
    w, h = 612 - left - right, 792 - top - bottom
    # Ends of the base line, unrotated and cropped, then turned clockwise by hand.
    ends = [(x - left, y - top), (x + width - left, y - top)]
    turn = {
        0: lambda p: p,
        90: lambda p: (h - p[1], p[0]),
        180: lambda p: (w - p[0], h - p[1]),
        270: lambda p: (p[1], w - p[0]),
    }[rotation]
    (x0, y0), (x1, y1) = (turn(p) for p in ends)
    box = word.box
    pixel = 72 / 300
    if rotation in (0, 180):
        assert abs(box.x0 * across[0] - min(x0, x1)) <= 2 * pixel
        assert abs(box.x1 * across[0] - max(x0, x1)) <= 2 * pixel
        assert box.y0 * across[1] < y0 < box.y1 * across[1]
    else:
        assert abs(box.y0 * across[1] - min(y0, y1)) <= 2 * pixel
        assert abs(box.y1 * across[1] - max(y0, y1)) <= 2 * pixel
        assert box.x0 * across[0] < x0 < box.x1 * across[0]


@pytest.mark.parametrize(
    ("size", "page_size", "is_read"),
    [
        (0.5, (612, 792), False),
        (1.5, (612, 792), False),
        (4, (612, 792), True),
        (1.5, (153, 198), True),
        (12, (2448, 3168), True),
    ],
)
@pytest.mark.parametrize("rotation", [0, 90])
def test_type_too_small_for_a_person_is_no_content(
    size: float, page_size: tuple[float, float], is_read: bool, rotation: int
) -> None:
    def draw(page: pymupdf.Page) -> None:
        page.set_mediabox(pymupdf.Rect(0, 0, *page_size))
        page.insert_text((20, 40), "Tiny", fontsize=size)
        page.set_rotation(rotation)

    layer = layer_of(draw)
    assert ([word.text for word in layer.words], layer.hidden_letters) == (["Tiny"] if is_read else [], 0)
