from collections.abc import Callable

import pytest

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import Note
from pipeline.pages.text_layer import notes_of, read_text_layer
from tests.support.reading.documents import drawn, essay_page


def notes(draw: Callable[[pymupdf.Page], object]) -> list[Note]:
    with open_pdf(drawn(draw)) as file:
        return notes_of(file.parts(1))


def said(note: Note) -> str:
    return " ".join(word.text for word in note.words)


def test_text_boxes_may_fill_a_form_and_stamps_do_not() -> None:
    def draw(page: pymupdf.Page) -> None:
        essay_page(page)
        page.add_freetext_annot((330, 300, 560, 345), "Lovely work!")
        page.add_stamp_annot((100, 500, 300, 560), 0)

    assert [(said(note), note.may_fill) for note in notes(draw)] == [("Lovely work!", True), ("APPROVED", False)]
    with open_pdf(drawn(draw)) as file, open_pdf(drawn(essay_page)) as plain:
        text = [word.text for word in read_text_layer(file.parts(1)).words]
        assert text == [word.text for word in read_text_layer(plain.parts(1)).words]


def test_a_callout_points_at_what_is_there() -> None:
    def draw(page: pymupdf.Page) -> None:
        annotation = page.add_freetext_annot((330, 300, 560, 345), "Is this right?")
        page.parent.xref_set_key(annotation.xref, "IT", "/FreeTextCallout")

    assert [note.may_fill for note in notes(draw)] == [False]


def test_hidden_annotations_write_nothing() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.add_freetext_annot((330, 300, 560, 345), "Hidden").set_flags(pymupdf.PDF_ANNOT_IS_HIDDEN)

    assert notes(draw) == []


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_notes_are_where_the_page_shows_them(rotation: int) -> None:
    def draw(page: pymupdf.Page) -> None:
        page.add_freetext_annot((72, 100, 300, 130), "Marisol", fontsize=12)
        page.insert_text((72, 112), "Marisol", fontsize=12)
        page.set_rotation(rotation)

    with open_pdf(drawn(draw)) as file:
        parts = file.parts(1)
    (note,), (word,) = notes_of(parts), read_text_layer(parts).words
    assert note.words[0].box == pytest.approx(word.box, abs=0.02)
