import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from core.config import FileBounds
from core.confined.children import one_child, within
from core.confined.mupdf import pymupdf
from core.error_codes import Cost
from core.errors import DamagedDocumentError, DocumentError, EmptyDocumentError, TooCostlyError
from core.messages import Message
from pipeline.files.intake import sheets_apart, whole_pdf
from pipeline.mupdf import file as module
from pipeline.mupdf.assembly import join_pdfs
from pipeline.mupdf.file import PdfFile, check_pdf, forget_large_file, open_pdf
from pipeline.mupdf.opened import LONGEST_WORD, MOST_WORDS, OpenedPdf
from pipeline.mupdf.page_data import Beside, PageShape, SmallPicture
from tests.support.confined_limits import limited
from tests.support.reading.documents import drawn, essay_pdf, scanned
from tests.support.reading.entries import COMPLETE, acroform


@pytest.mark.parametrize(
    "pdf", [acroform(COMPLETE), essay_pdf(), scanned(essay_pdf())], ids=["form", "text", "scan"]
)
def test_what_is_read_can_cross_to_another_process(pdf: bytes) -> None:
    with open_pdf(pdf) as file:
        read = (file.page_count, file.facts(), file.shape(1), file.parts(1), file.has_text(1))
        drawn_pages = (file.small(1, 200).grey, file.draw(1, 0.5))
    assert pickle.loads(pickle.dumps(read)) == read
    for pixels in drawn_pages:
        assert np.array_equal(pickle.loads(pickle.dumps(pixels)), pixels)


def test_a_filled_field_is_drawn_until_its_page_is_read() -> None:
    """What it displays is its value, and no text of the page beside it."""
    with open_pdf(acroform(COMPLETE)) as file:
        before = file.draw(1, 1.0)
        values = [field.value for field in file.parts(1).fields]
        after, small = file.draw(1, 1.0), file.small(1, 792)
    assert COMPLETE["Student's Name"] in values
    assert (after < 128).sum() < (before < 128).sum()
    assert (small.grey < 128).sum() > (after.mean(axis=2) < 128).sum()


def test_a_page_that_is_missing_is_damage() -> None:
    with open_pdf(essay_pdf()) as file:
        for ask in (
            file.parts,
            file.shape,
            file.has_text,
            lambda n: file.draw(n, 1.0),
            lambda n: file.small(n, 99),
        ):
            with pytest.raises(DamagedDocumentError):
                ask(2)


def test_no_bytes_are_no_file() -> None:
    with pytest.raises(EmptyDocumentError), open_pdf(b""):
        pass


def test_spaces_are_no_text() -> None:
    with open_pdf(drawn(lambda page: page.insert_text((72, 72), "   "))) as file:
        assert not file.has_text(1)


def test_a_part_of_a_page_is_drawn_as_the_page_is() -> None:
    with open_pdf(essay_pdf()) as file:
        whole, part = file.draw(1, 1.0), file.draw(1, 1.0, (60, 60, 400, 300))
    assert np.array_equal(whole[60:300, 60:400], part)


def test_a_file_that_was_read_is_as_it_was_when_it_is_opened_again() -> None:
    """Its child has it open still, with the fields hidden."""
    data = acroform(COMPLETE)
    with open_pdf(data) as file:
        before = file.draw(1, 1.0)
        file.parts(1)
    with open_pdf(data) as file:
        assert np.array_equal(file.draw(1, 1.0), before)
    with open_pdf(essay_pdf()) as other, open_pdf(data) as file:
        assert file.draw(1, 1.0).shape == before.shape
        assert other.has_text(1)
        assert not other.parts(1).fields


def heavy_page(page: pymupdf.Page) -> None:
    """Fills of the whole page that take a few tenths of a second."""
    for _ in range(40):
        page.draw_rect(page.rect, fill=(1, 0, 0), fill_opacity=0.5)


def draw_again_and_again(pdf: bytes) -> None:
    for _ in range(100):
        with open_pdf(pdf) as file:
            file.draw(1, 3.0)
        with open_pdf(essay_pdf()) as other:
            other.shape(1)


def test_openings_of_a_file_share_the_time_of_the_work_that_they_are_for() -> None:
    """Also where another file is read in between, which the child holds then."""
    pdf = drawn(heavy_page)
    with limited(memory_mb=1000, seconds=20.0):
        with within(1.0), pytest.raises(TooCostlyError) as caught:
            draw_again_and_again(pdf)
        assert caught.value.message == Message.of(Cost.TIME, seconds=1)
        with open_pdf(pdf) as file:
            assert file.draw(1, 0.1).size


def test_a_page_of_more_words_than_any_document_is_refused() -> None:
    crowded = drawn(lambda page: page.insert_text((20, 20), ["a " * 100] * (MOST_WORDS // 100 + 1), fontsize=2))
    dense = drawn(lambda page: page.insert_text((20, 20), ["a " * 100] * 70, fontsize=2))
    long_word = drawn(lambda page: page.insert_text((20, 20), "a" * (LONGEST_WORD + 1), fontsize=0.8))
    for pdf in (crowded, dense, long_word):
        with open_pdf(pdf) as file, pytest.raises(TooCostlyError) as caught:
            file.parts(1)
        assert caught.value.message == Message.of(Cost.WORDS, words=MOST_WORDS, letters=LONGEST_WORD)


BOUNDS = FileBounds(max_pages=10, max_image_pixels=1 << 26, max_unpacked_bytes=1 << 26)
SHAPE = PageShape((1.0, 0.0, 0.0, 1.0, 0.0, 0.0), 612.0, 792.0)
BESIDE = Beside([], False, False, [], {}, {})


def answer_so(method: str, answer: object) -> None:
    """Have this child, as one that was taken over, answer so whatever is asked."""
    setattr(OpenedPdf, method, lambda *_: answer)


@contextmanager
def answering(method: str, answer: object) -> Iterator[None]:
    with limited(memory_mb=2048, seconds=60):
        with one_child(__name__) as child:
            child.call(answer_so, method, answer)
        yield


@pytest.mark.parametrize("count", [3_000_000, 11, 0, -1, 1.0, True, "many", None])
@pytest.mark.parametrize("read", [check_pdf, whole_pdf, sheets_apart])
def test_no_number_of_pages_beyond_the_bounds_is_believed(
    read: Callable[[bytes, FileBounds], object], count: object
) -> None:
    with answering("page_count", count), pytest.raises(DocumentError):
        read(essay_pdf(), BOUNDS)


@pytest.mark.parametrize(
    ("method", "answer", "ask"),
    [
        ("beside", BESIDE._replace(sheets={2: []}), lambda file: file.beside(BOUNDS)),
        ("beside", BESIDE._replace(pictured={0: (0.0, 0.0, 1.0, 1.0)}), lambda file: file.beside(BOUNDS)),
        ("shape", SHAPE._replace(width=float("nan")), lambda file: file.shape(1)),
        ("shape", SHAPE._replace(height=-1.0), lambda file: file.shape(1)),
        ("parts", SHAPE, lambda file: file.parts(1)),
        ("small", SmallPicture(SHAPE, np.zeros((3, 3, 3), np.uint8), []), lambda file: file.small(1, 99)),
        ("draw", np.zeros((3, 3, 3), np.float64), lambda file: file.draw(1, 1.0)),
        ("spot", np.zeros((3, 3), np.uint8), lambda file: file.spot(1, 1.0, (0.0, 0.0, 1.0, 1.0))),
        ("pen", "no picture", lambda file: file.pen(1, 1.0)),
    ],
)
def test_pages_sizes_and_pictures_that_none_can_be_are_damage(
    method: str, answer: object, ask: Callable[[PdfFile], object]
) -> None:
    with (
        answering(method, answer),
        open_pdf(essay_pdf()) as file,
        pytest.raises(DamagedDocumentError, match="something else"),
    ):
        ask(file)


def test_a_file_is_itself_after_another_could_not_be_opened() -> None:
    sound = essay_pdf(pages=2)
    for _ in range(2):
        with open_pdf(sound) as file:
            assert file.page_count == 2
        with pytest.raises(DamagedDocumentError), open_pdf(b"%PDF-1.7 and nothing else"):
            pass


def test_a_large_file_is_let_go_of_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SMALL", 100)
    files = [essay_pdf(), scanned(essay_pdf())]
    for forgets in (True, False):
        for pdf in (*files, files[0], files[0]):
            if forgets:
                forget_large_file()
                with one_child(module.PARSER) as child:
                    assert child.holds is None
            with open_pdf(pdf) as file:
                assert file.has_text(1) == (pdf is files[0])


def test_many_pages_of_a_file_are_as_they_are_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """After some pages it is opened anew, but not where fields are hidden."""
    monkeypatch.setattr("pipeline.mupdf.opened._MANY_LOADS", 2)
    for pdf in (join_pdfs([essay_pdf()] * 6), join_pdfs([acroform(COMPLETE), *[essay_pdf()] * 5])):
        opened = OpenedPdf(pdf)
        read = [opened.parts(number) for number in range(1, 7)]
        drawn_again = opened.draw(1, 0.5, None, managed_colours=True)
        opened.close()
        for number, parts in enumerate(read, start=1):
            alone = OpenedPdf(pdf)
            assert alone.parts(number) == parts
            if number == 1:
                assert np.array_equal(alone.draw(1, 0.5, None, managed_colours=True), drawn_again)
            alone.close()
