import pytest
from PIL import Image

from core.config import load_settings
from core.errors import DamagedDocumentError, EmptyDocumentError, TooManyPagesError
from pipeline.files.intake import to_pdf
from tests.support.reading.documents import docx, encoded, essay_pdf, paragraph, with_relations

SETTINGS = load_settings()


def test_a_pdf_passes_byte_for_byte() -> None:
    data = essay_pdf(pages=2)
    intake = to_pdf(data, "entry.png", SETTINGS)
    assert (intake.pdf, intake.page_count, intake.converted) == (data, 2, False)
    assert intake.content_type == "application/pdf"


def test_a_picture_becomes_a_page() -> None:
    intake = to_pdf(encoded(Image.new("L", (300, 400), 200), "PNG"), "entry.pdf", SETTINGS)
    assert (intake.page_count, intake.content_type, intake.converted) == (1, "image/png", True)


def test_a_word_file_of_too_many_pages_is_refused() -> None:
    body = "".join(paragraph(f"Line {n}") for n in range(200))
    with pytest.raises(TooManyPagesError):
        to_pdf(docx(body), "essay.docx", load_settings(max_pages=2))


@pytest.mark.parametrize("data", [b"", essay_pdf()[:300]], ids=["empty", "cut"])
def test_errors_of_every_step_are_typed(data: bytes) -> None:
    with pytest.raises((EmptyDocumentError, DamagedDocumentError)):
        to_pdf(data, "x.pdf", SETTINGS)


def test_what_a_word_file_holds_beside_its_pages_is_noted() -> None:
    body = paragraph("My essay") + '<w:altChunk r:id="rId8"/>'
    data = with_relations(body, {"rId8": "aFChunk notes.rtf"}, {"notes.rtf": "{\\rtf1 more}"})
    assert [note.code for note in to_pdf(data, "essay.docx", SETTINGS).notes] == ["UNREAD_CONTENT"]
