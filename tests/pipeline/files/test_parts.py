"""What is attached to a PDF, and what a dynamic form holds, are pages or named."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from PIL import Image

from core.config import FileBounds, load_settings
from core.confined.mupdf import pymupdf
from core.errors import TooManyPagesError
from pipeline.files.intake import Intake, Whole, to_pdf, whole_pdf
from pipeline.mupdf.file import open_pdf
from pipeline.mupdf.page_data import PageMark
from pipeline.reason_codes import ReasonCode
from pipeline.recognition.page_contents import read_pages
from pipeline.splitting.document_analysis import analyse_document
from tests.support.reading.documents import docx, drawn, encoded, essay_pdf, paragraph
from tests.support.reading.entries import COMPLETE, acroform

SETTINGS = load_settings()
LETTER = "Dear contest office,\nplease find the entry of my daughter attached.\nMarta Quintero"
XFA = (
    '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">'
    '<subform name="a"><field name="f1"><caption><value><text>Name of the student:</text></value></caption>'
    '</field></subform></template><xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data>{}</xfa:data>'
    "</xfa:datasets></xdp:xdp>"
)


def _carrier(files: Mapping[str, bytes], text: str = LETTER, pinned: bool = False, **keys: str) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_textbox((72, 72, 540, 400), text)
        for name, data in files.items():
            if pinned:
                page.add_file_annot((500, 40), data, name)
            else:
                document.embfile_add(name, data, filename=name, ufilename=name)
        for key, value in keys.items():
            document.xref_set_key(document.pdf_catalog(), key, value)
        return bytes(document.tobytes(deflate=True))


def _dynamic(data: str, text: str = "Please wait...", packets: int = 1, needs: bool = True) -> bytes:
    with pymupdf.open() as document:
        document.new_page(width=612, height=792).insert_text((72, 80), text)
        xml = XFA.format(data).encode()
        listed = ""
        for number in range(packets):
            xref = document.get_new_xref()
            document.update_object(xref, "<<>>")
            cut = len(xml) // packets
            part = xml[number * cut : (number + 1) * cut if number < packets - 1 else None]
            document.update_stream(xref, part, new=True)
            listed += f"(p{number}) {xref} 0 R " if packets > 1 else f"{xref} 0 R"
        value = f"[{listed}]" if packets > 1 else listed
        document.xref_set_key(document.pdf_catalog(), "AcroForm", f"<</Fields[]/XFA {value}>>")
        if needs:
            document.xref_set_key(document.pdf_catalog(), "NeedsRendering", "true")
        return bytes(document.tobytes())


def _texts(pdf: bytes) -> list[str]:
    with pymupdf.open("pdf", pdf) as document:
        return [page.get_text().strip() for page in document]


def _notes(intake: Intake) -> list[tuple[str, int, list[str]]]:
    return [(note.code.value, note.count, note.names) for note in intake.notes]


@pytest.mark.parametrize("pinned", [False, True], ids=["to the document", "to a page"])
def test_an_attached_form_is_read_with_its_fields(pinned: bool) -> None:
    intake = to_pdf(_carrier({"entry.pdf": acroform(COMPLETE)}, pinned=pinned), "", SETTINGS)
    assert intake.converted and not intake.notes
    assert [intake.page_count, len(_texts(intake.pdf))] == [2, 2]
    letter, form = read_pages(intake.pdf, SETTINGS, None)
    assert {w.name: w.value for w in form.widgets}["Student's Name"] == "Marisol Quintero"
    assert (letter.mark, form.mark) == (PageMark.CARRIES, PageMark.BEGINS)


def test_what_was_read_is_not_read_again_from_the_pdf_that_is_made() -> None:
    for pinned in (False, True):
        made = to_pdf(_carrier({"entry.pdf": essay_pdf()}, pinned=pinned), "", SETTINGS).pdf
        assert to_pdf(made, "", SETTINGS).pdf is made


def test_the_letter_is_no_entry_and_the_form_is_one() -> None:
    intake = to_pdf(_carrier({"entry.pdf": acroform(COMPLETE)}), "", SETTINGS)
    analysis = analyse_document(read_pages(intake.pdf, SETTINGS, None), SETTINGS, notes=intake.notes)
    assert [(chunk.page_start, chunk.page_end, chunk.doubts) for chunk in analysis.chunks] == [(2, 2, [])]


def test_pictures_and_word_files_are_pages_too() -> None:
    files = {"a.png": encoded(Image.new("L", (300, 400), 200), "PNG"), "b.docx": docx(paragraph("An essay"))}
    intake = to_pdf(_carrier(files), "", SETTINGS)
    assert intake.page_count == 3
    assert "An essay" in _texts(intake.pdf)[2]
    assert not intake.notes


def test_what_is_no_document_is_named() -> None:
    files = {"grades.xlsx": b"PK\x03\x04 no document", "entry.pdf": essay_pdf(), "cut.pdf": essay_pdf()[:200]}
    intake = to_pdf(_carrier(files), "", SETTINGS)
    assert intake.page_count == 2
    assert _notes(intake) == [("ATTACHMENTS", 2, ["grades.xlsx", "cut.pdf"])]


def test_attached_files_count_with_what_becomes_of_them() -> None:
    bounds = FileBounds(max_pages=50, max_image_pixels=1_000_000, max_unpacked_bytes=60_000)
    files = {f"{number}.png": bytes([number]) * 100 for number in range(5)}
    whole = whole_pdf(_carrier(files), bounds, lambda data: Whole(essay_pdf() + b"%" * 20_000, 1))
    assert 1 < whole.page_count <= 3
    (note,) = whole.notes
    assert (note.code, note.count) == (ReasonCode.ATTACHMENTS, 6 - whole.page_count)


def test_a_file_with_nothing_but_what_cannot_be_read_stays_as_it_is() -> None:
    data = _carrier({"grades.xlsx": b"PK\x03\x04 no document"})
    intake = to_pdf(data, "", SETTINGS)
    assert intake.pdf is data
    assert _notes(intake) == [("ATTACHMENTS", 1, ["grades.xlsx"])]


def test_what_is_attached_to_an_attached_file_is_named() -> None:
    inner = _carrier({"deep.pdf": essay_pdf()})
    intake = to_pdf(_carrier({"mail.pdf": inner}), "", SETTINGS)
    assert intake.page_count == 2
    assert _notes(intake) == [("ATTACHMENTS", 1, ["deep.pdf"])]


def test_the_cover_of_a_portfolio_is_left_out() -> None:
    text = "For the best experience, open this PDF portfolio in Acrobat."
    files = {"a.pdf": essay_pdf(), "b.pdf": drawn(lambda page: page.insert_text((72, 80), "Two"))}
    intake = to_pdf(_carrier(files, text, Collection="<</View/D>>"), "", SETTINGS)
    assert [text[:8] for text in _texts(intake.pdf)] == ["Marisol ", "Two"]


def test_all_parts_together_have_no_more_pages_than_a_file_may() -> None:
    files = {f"{number}.pdf": essay_pdf(pages=2) + bytes([37, number]) for number in range(3)}
    with pytest.raises(TooManyPagesError):
        to_pdf(_carrier(files), "", load_settings(max_pages=5))


def test_an_essay_attached_to_its_form_is_uncertain_on_both_sides() -> None:
    with pymupdf.open("pdf", acroform(COMPLETE, essay="")) as document:
        document.embfile_add("essay.docx", docx(paragraph("My dad is kind. " * 20)), filename="essay.docx")
        data = bytes(document.tobytes())
    intake = to_pdf(data, "", SETTINGS)
    chunks = analyse_document(read_pages(intake.pdf, SETTINGS, None), SETTINGS, notes=intake.notes).chunks
    assert [chunk.doubts for chunk in chunks] == [[ReasonCode.SPLIT_UNCERTAIN]] * 2


DATA = "<a><f1>Ann Vega</f1><schoolName>Lakeview School</schoolName><Essay>{}</Essay></a>"


@pytest.mark.parametrize("packets", [1, 3])
def test_the_data_of_a_dynamic_form_is_a_page_of_its_own(packets: int) -> None:
    intake = to_pdf(_dynamic(DATA.format("My dad is kind. " * 20), packets=packets), "", SETTINGS)
    assert _notes(intake) == [("DYNAMIC_FORM", 1, [])]
    (text,) = _texts(intake.pdf)
    assert text.startswith("Name of the student: Ann Vega\nSchool name: Lakeview School\nMy dad is kind.")
    assert "Please wait" not in text


def test_two_records_are_two_pages() -> None:
    intake = to_pdf(_dynamic("<all>" + DATA.format("One") + DATA.format("Two") + "</all>"), "", SETTINGS)
    assert [text.splitlines()[-1] for text in _texts(intake.pdf)] == ["Essay: One", "Essay: Two"]


@pytest.mark.parametrize(
    "data",
    ["", "<a/>", "<a><b>broken</a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"],
    ids=["nothing", "empty", "broken", "entities"],
)
def test_a_dynamic_form_without_data_that_can_be_read_is_named(data: str) -> None:
    pdf = _dynamic(data)
    intake = to_pdf(pdf, "", SETTINGS)
    assert intake.pdf is pdf
    assert _notes(intake) == [("DYNAMIC_FORM", 1, [])]


def test_a_form_whose_fields_every_reader_draws_is_not_dynamic() -> None:
    with pymupdf.open("pdf", acroform(COMPLETE)) as document:
        xref = document.get_new_xref()
        document.update_object(xref, "<<>>")
        document.update_stream(xref, XFA.format(DATA).encode(), new=True)
        document.xref_set_key(document.pdf_catalog(), "AcroForm/XFA", f"{xref} 0 R")
        data = bytes(document.tobytes())
    intake = to_pdf(data, "", SETTINGS)
    assert intake.pdf is data
    assert not intake.notes
    still = _dynamic(DATA, "A flat form without fields, complete as it is", needs=False)
    assert to_pdf(still, "", SETTINGS).pdf is still


def test_an_ordinary_file_has_nothing_beside() -> None:
    with open_pdf(acroform(COMPLETE)) as file:
        assert file.beside(SETTINGS.file_bounds) == ([], False, False, [], {}, {})
