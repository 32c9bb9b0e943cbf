"""Words of a page as text: its own, or those recognised before, and nothing is recognised for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config import Settings
from core.confined.mupdf import pymupdf
from core.models import Upload
from pipeline.recognition.page_contents import read_pages
from services.context import Context
from services.pages import page_words
from tests.support import factories
from tests.support.parts import need
from tests.support.reading import marked_page
from tests.support.site import tidy_context


@pytest.fixture
def with_tesseract(settings: Settings) -> Iterator[Context]:
    need("tesseract")
    with tidy_context(settings.model_copy(update={"ocr_provider": "tesseract"})) as opened:
        yield opened


def stored(context: Context, pdf: bytes) -> Upload:
    with context.database.session() as session:
        upload = factories.make_upload(session)
        upload.pdf_key = upload.storage_key
        factories.make_page(session, upload)
        context.store.put(upload.storage_key, pdf)
        return upload


def scan() -> bytes:
    with pymupdf.open("pdf", marked_page.marked_pdf(0)) as drawn, pymupdf.open() as document:
        picture = drawn[0].get_pixmap(dpi=150).tobytes("png")
        page = document.new_page(width=612, height=792)
        page.insert_image(page.rect, stream=picture)
        return bytes(document.tobytes())


@pytest.mark.parametrize(("rotation", "turned"), [(0, 0), (90, 270), (180, 180), (270, 90)])
def test_a_page_that_has_text(context: Context, rotation: int, turned: int) -> None:
    words = page_words(context, stored(context, marked_page.marked_pdf(rotation)).id, 1)
    assert words.turned == turned
    assert set(marked_page.WORDS) <= {word.text for line in words.lines for word in line}


def test_what_annotations_write_can_be_selected_too(context: Context) -> None:
    with pymupdf.open("pdf", marked_page.marked_pdf(0)) as document:
        document[0].add_freetext_annot((100, 300, 400, 330), "Lovely work")
        pdf = bytes(document.tobytes())
    words = page_words(context, stored(context, pdf).id, 1)
    assert {"Quintero", "Lovely", "work"} <= {word.text for line in words.lines for word in line}


def test_nothing_is_recognised_for_it(with_tesseract: Context) -> None:
    pdf = scan()
    upload = stored(with_tesseract, pdf)
    assert page_words(with_tesseract, upload.id, 1).lines == []
    read_pages(pdf, with_tesseract.settings, with_tesseract.store)
    found = {word.text for line in page_words(with_tesseract, upload.id, 1).lines for word in line}
    assert {"bike", "and"} <= found


def test_it_is_kept(context: Context) -> None:
    upload = stored(context, marked_page.marked_pdf(0))
    words = page_words(context, upload.id, 1)
    context.store.delete(upload.storage_key)
    assert page_words(context, upload.id, 1) == words
