"""Of a page that was made blank nothing is left in the bytes of the file."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from core.errors import DamagedDocumentError
from pipeline.mupdf.assembly import blank_pages, join_pdfs
from tests.support.confined_limits import limited
from tests.support.erasure.scan import texts_of_pdf
from tests.support.reading.entries import COMPLETE, acroform

GONE = "Zebulon Quarrington"
STAYS = "Tomas Alder"


def form(name: str) -> bytes:
    return acroform({**COMPLETE, "Student's Name": name}, essay=f"The essay of {name} ends here.")


def stack() -> bytes:
    """Two filled forms, with the first one's name wherever a PDF may keep it, and an earlier revision."""
    with pymupdf.open("pdf", join_pdfs([form(GONE), form(STAYS)])) as document:
        document.set_metadata({"title": f"Essay of {GONE}", "author": GONE})
        document.set_xml_metadata(f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><name>{GONE}</name></x:xmpmeta>")
        document.embfile_add(GONE, GONE.encode())
        document.set_toc([[1, GONE, 1], [1, STAYS, 2]])
        document[0].add_text_annot((50, 50), GONE)
        page = document[0]
        page.add_highlight_annot(pymupdf.Rect(10, 10, 80, 40)).set_info(content=GONE)
        first = document.tobytes()
    with pymupdf.open("pdf", first) as document:
        document[0].insert_text((60, 700), GONE)
        return bytes(document.tobytes())


def test_its_name_is_nowhere() -> None:
    before = stack()
    assert any(GONE in text for text in texts_of_pdf(before)), "the scan sees it"
    after = blank_pages(before, [1])
    assert not [text for text in texts_of_pdf(after) if "Zebulon" in text or "Quarrington" in text]
    with pymupdf.open("pdf", after) as document:
        assert document.page_count == 2
        assert not document[0].get_text().strip() and not list(document[0].widgets())
        values = {widget.field_value for widget in document[1].widgets()}
        assert STAYS in values and f"The essay of {STAYS} ends here." in values
        assert document[0].rect == pymupdf.open("pdf", before)[0].rect


def test_pages_on_both_sides_keep_their_fields() -> None:
    names = ("Ada Moss", GONE, STAYS, "Ben Reed")
    with pymupdf.open("pdf", blank_pages(join_pdfs([form(name) for name in names]), [2])) as document:
        values = [{widget.field_value for widget in page.widgets()} for page in document]
    assert [name in found for name, found in zip(names, values, strict=True)] == [True, False, True, True]


def test_the_other_pages_look_the_same() -> None:
    before = stack()
    with pymupdf.open("pdf", before) as old, pymupdf.open("pdf", blank_pages(before, [1])) as new:
        assert old[1].get_pixmap().samples == new[1].get_pixmap().samples


def test_pictures_that_all_pages_name_go_with_the_page_that_shows_them() -> None:
    with pymupdf.open() as document:
        for shade in (40, 200):
            buffer = io.BytesIO()
            Image.new("L", (64, 64), shade).save(buffer, "PNG")
            document.new_page().insert_image(pymupdf.Rect(0, 0, 64, 64), stream=buffer.getvalue())
        pictures = [page.get_images()[0][0] for page in document]
        for page, own in zip(document, pictures, strict=True):
            named = " ".join(f"/P{xref} {xref} 0 R" for xref in pictures)
            document.xref_set_key(page.xref, "Resources", f"<</XObject<</fzImg0 {own} 0 R {named}>>>>")
        before = document.tobytes()
    with pymupdf.open("pdf", blank_pages(before, [1])) as after:
        shades = {
            pymupdf.Pixmap(after, xref).samples[0]
            for xref in range(1, after.xref_length())
            if after.xref_get_key(xref, "Subtype")[1] == "/Image"
        }
    assert shades == {200}


def test_a_page_that_is_not_there() -> None:
    with pytest.raises(DamagedDocumentError):
        blank_pages(form(STAYS), [2])


def test_a_page_of_very_many_objects_is_made_blank_in_time() -> None:
    """Objects that are compared each with each take minutes, and no child of the stack could be erased."""
    with pymupdf.open("pdf", stack()) as document:
        first = document.xref_length()
        for number in range(100_000):
            document.update_object(document.get_new_xref(), f"<< /A {number} >>")
        named = " ".join(f"{first + number} 0 R" for number in range(100_000))
        _, resources = document.xref_get_key(document[0].xref, "Resources")
        document.xref_set_key(int(resources.split()[0]), "Many", f"[{named}]")
        data = document.tobytes()
    with limited(memory_mb=2048, seconds=30), pymupdf.open("pdf", blank_pages(data, [2])) as after:
        assert after.page_count == 2 and GONE in {widget.field_value for widget in after[0].widgets()}
