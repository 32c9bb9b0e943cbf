import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import Box, PageContent, Source, Word
from pipeline.recognition.enhancement import other_side, with_own_ink
from pipeline.recognition.page_contents import read_pages
from tests.support.reading.documents import ESSAY, drawn, encoded, essay_page

SETTINGS = load_settings(ocr_dpi=100)
Grey = NDArray[np.uint8]
WHOLE = [Word("x", Box(0, 0, 1, 1), 1.0, Source.OCR, 0)]


def side(pdf: bytes) -> Grey:
    with pymupdf.open("pdf", pdf) as document:
        pixels = document[0].get_pixmap(dpi=100, colorspace=pymupdf.csGRAY)
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)


def lower_half(page: pymupdf.Page) -> None:
    page.insert_textbox((72, 420, 540, 700), ESSAY, fontsize=12)


FRONT, BACK, EMPTY = side(drawn(essay_page)), side(drawn(lower_half)), side(drawn(lambda page: None))


def through(own: Grey, other: Grey, share: float, aside: tuple[int, int] = (6, -8), upside: bool = False) -> Grey:
    """What a scanner sees of a side of thin paper."""
    mirrored = other[::-1] if upside else other[:, ::-1]
    ink = np.roll(255.0 - mirrored, aside, axis=(0, 1))
    return (own * (1 - share * ink / 255)).clip(0, 255).astype(np.uint8)


def scan(*sides: Grey) -> bytes:
    with pymupdf.open() as document:
        for picture in sides:
            page = document.new_page(width=612, height=792)
            page.insert_image(page.rect, stream=encoded(Image.fromarray(picture), "PNG"))
        return bytes(document.tobytes())


def texts(page: PageContent) -> str:
    return " ".join(word.text for word in page.words)


def test_an_empty_back_stays_empty() -> None:
    front, back = read_pages(scan(FRONT, through(EMPTY, FRONT, 0.45)), SETTINGS, None)
    assert "Marisol Quintero" in texts(front)
    assert (back.words, back.ink < 0.001) == ([], True)
    assert back.other_side


def test_own_writing_stays_where_the_other_side_shines_through() -> None:
    front, back = read_pages(scan(through(FRONT, BACK, 0.4), through(BACK, FRONT, 0.4, (4, 9))), SETTINGS, None)
    alone_front, alone_back = read_pages(scan(FRONT, BACK), SETTINGS, None)
    assert texts(front) == texts(alone_front)
    assert texts(back) == texts(alone_back)


def test_a_side_that_was_turned_upright_is_mirrored_the_other_way() -> None:
    with open_pdf(scan(FRONT, through(EMPTY, FRONT, 0.4, upside=True))) as file:
        found = other_side(file, 2, WHOLE)
    assert found is not None and found.own_ink < 0.001


def test_pale_writing_is_not_taken_for_the_other_side() -> None:
    pale = (255 - 0.3 * (255.0 - BACK)).astype(np.uint8)
    with open_pdf(scan(FRONT, pale, FRONT)) as file:
        assert other_side(file, 2, WHOLE) is None
        assert other_side(file, 1, WHOLE) is None


def test_looks_at_the_pixels_see_own_ink_alone() -> None:
    pdf = scan(through(FRONT, BACK, 0.4), BACK)
    pages = read_pages(pdf, SETTINGS, None)
    own = with_own_ink(pdf, pages)
    assert own != pdf
    with pymupdf.open("pdf", own) as document, pymupdf.open("pdf", pdf) as before:
        half = (0, 450, 612, 792)
        darkest = [min(opened[0].get_pixmap(dpi=72, clip=half).samples) for opened in (document, before)]
    assert darkest[0] > 240 > darkest[1]
    plain = scan(FRONT, BACK)
    assert with_own_ink(plain, read_pages(plain, SETTINGS, None)) is plain
