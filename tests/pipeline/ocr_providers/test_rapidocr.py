import os
import threading

import numpy as np
import pytest

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.ocr_providers.base import RecognisedLine, RecognisedWord
from pipeline.ocr_providers.rapidocr import RapidOcr
from pipeline.ocr_providers.rapidocr_engine import engine
from tests.support.reading.documents import drawn

PROVIDER = RapidOcr(load_settings())


def draw(page: pymupdf.Page) -> None:
    page.insert_text((72, 100), "Student's Name", fontsize=12)
    page.insert_text((200, 100), "Begoña Ibáñez", fontsize=14)
    page.insert_text((72, 140), "Grade", fontsize=12)
    page.insert_text((200, 140), "1", fontsize=14)
    page.insert_text((72, 180), "(312) 555-0142", fontsize=12)


@pytest.fixture(scope="module")
def lines() -> list[RecognisedLine]:
    with pymupdf.open("pdf", drawn(draw)) as document:
        pixels = document[0].get_pixmap(dpi=150)
    return PROVIDER.recognise(np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3))


def word(lines: list[RecognisedLine], text: str) -> RecognisedWord:
    (found,) = [word for line in lines for word in line.words if word.text == text]
    return found


@pytest.mark.parametrize(("before", "text", "size"), [("", "Begoña", 14), ("Student's ", "Name", 12)])
def test_words_stand_where_they_were_drawn(
    lines: list[RecognisedLine], before: str, text: str, size: float
) -> None:
    box = word(lines, text).box
    x = (72 if before else 200) + pymupdf.get_text_length(before, fontsize=size)
    width = pymupdf.get_text_length(text, fontsize=size)
    # A letter's width: the recogniser places letters by steps of a few pixels, within a line whose box is wider.
    assert abs(box.x0 * 612 - x) < 0.7 * size
    assert abs(box.x1 * 612 - (x + width)) < 0.7 * size
    assert box.y0 * 792 < 100 - size / 3 < box.y1 * 792


def test_accents_are_read(lines: list[RecognisedLine]) -> None:
    assert word(lines, "Ibáñez").confidence > 0.9


def test_a_lone_one_is_no_dash(lines: list[RecognisedLine]) -> None:
    assert word(lines, "1").box.x0 * 612 == pytest.approx(200, abs=8)


@pytest.mark.parametrize("text", ["1", "7", "K", "11", "Begoña Ibáñez"])
def test_a_line_is_read_where_detection_is_not_asked(text: str) -> None:
    with pymupdf.open("pdf", drawn(lambda page: page.insert_text((80, 100), text, fontsize=12))) as document:
        pixels = document[0].get_pixmap(dpi=150, clip=(72, 86, 180, 106))
    picture = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)
    line = PROVIDER.recognise_line(picture)
    assert line.text == text and line.confidence > 0.8


def test_lines_that_lie_flat_say_so(lines: list[RecognisedLine]) -> None:
    assert all(abs(line.slope) < 1 for line in lines if line.aspect > 4)


@pytest.mark.parametrize("shape", [(8, 6000), (6000, 8), (40, 40)])
def test_a_narrow_picture_takes_no_more_work_than_a_page(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = engine(load_settings().ocr_threads)
    seen: list[tuple[int, ...]] = []
    session = reader._load_det_model().session

    class Watched:
        def __call__(self, pixels: np.ndarray) -> object:
            seen.append(pixels.shape)
            return session(pixels)

    monkeypatch.setattr(reader.text_det, "session", Watched())
    assert PROVIDER.recognise(np.full((*shape, 3), 255, np.uint8)) == []
    assert all(shape[2] * shape[3] < 2_200_000 for shape in seen)


def test_recognition_binds_itself_to_no_processor() -> None:
    """Processes that did would all compute on the same one, whatever their number."""
    picture = np.full((600, 600, 3), 255, np.uint8)
    # While models are loaded it may.
    PROVIDER.recognise(picture)
    own, done = threading.get_native_id(), threading.Event()
    before = os.sched_getaffinity(own)
    seen = []

    def look() -> None:
        while not done.wait(0.001):
            seen.append(os.sched_getaffinity(own))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        PROVIDER.recognise(picture)
    finally:
        done.set()
        looking.join()
    assert len(seen) > 10 and all(one == before for one in seen)
