"""Documents of a person's own, and versions made current again."""

from __future__ import annotations

import io
import uuid
from typing import Any

import docx
import pytest
from sqlalchemy import select

from core.confined.mupdf import pymupdf
from core.errors import AppError, ConflictError, EmptyDocumentError, InvalidInputError, NoFileError, NotFoundError
from core.models import Report, ReportVersion
from pipeline.ocr_providers.rapidocr import RapidOcr
from research.document import ReportDocument
from research.supervision.loop.routing import cited_keys
from services.context import Context
from services.library.media_type import NotLibraryDocumentError
from services.supervision.documents import ScannedDocumentError, original_key, upload_document
from services.supervision.request import restore_version, start_supervision
from services.supervision.run import run_supervision
from tests.support.reading.documents import essay_pdf, scanned
from tests.support.research.theory_library import DOCUMENT

HEADINGS = ["What the evenings are", "What comes of them", "What they cost"]


def first(context: Context, report_id: uuid.UUID) -> ReportDocument:
    return ReportDocument.model_validate(context.database.get_one(ReportVersion, (report_id, 1)).document)


def parts() -> list[tuple[str, str]]:
    """Headings and paragraphs of the document."""
    return [
        (lines.partition("\n\n")[0].lstrip("# "), " ".join(lines.partition("\n\n")[2].split()))
        for lines in DOCUMENT.split("\n## ")[1:]
    ]


def as_word() -> bytes:
    document = docx.Document()
    document.add_heading("Reading evenings with fathers", 1)
    for heading, text in parts():
        document.add_heading(heading, 2)
        for line in text.split(" 2. Brandt") if heading == "References" else [text]:
            document.add_paragraph(line if line.startswith(("1.", "S", "C", "A")) else f"2. Brandt{line}")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def as_pdf(text: bool = True) -> bytes:
    with pymupdf.open() as document:
        for heading, body in parts() if text else []:
            page = document.new_page()
            page.insert_text((72, 90), heading, fontsize=20)
            rest = body.replace(" 2. Brandt", "\n2. Brandt")
            page.insert_textbox((72, 120, 520, 700), rest, fontsize=11)
        if not text:
            page = document.new_page()
            page.draw_rect((72, 72, 300, 300), fill=(0, 0, 0))
        return bytes(document.tobytes())


@pytest.mark.parametrize(
    ("name", "data"), [("a.md", DOCUMENT.encode()), ("a.docx", as_word()), ("a.pdf", as_pdf())]
)
def test_a_document_becomes_sections_with_references_apart(
    context: Context, officer: uuid.UUID, name: str, data: bytes
) -> None:
    report_id = upload_document(context, officer, f"C:\\files\\{name}", data)
    document = first(context, report_id)
    assert [section.heading for section in document.sections] == HEADINGS
    assert len(document.references) == 2
    assert cited_keys(document) == {reference.key for reference in document.references}
    with context.database.session() as session:
        report = session.get_one(Report, report_id)
        version = session.get_one(ReportVersion, (report_id, 1))
    assert (report.origin, report.status, report.current_version) == ("uploaded", "done", 1)
    assert (version.origin, version.made_by, version.note) == ("uploaded", officer, name)
    assert report.title == document.title
    assert context.store.get(original_key(report_id)) == data


def test_a_line_above_the_title_does_not_hide_it(context: Context, officer: uuid.UUID) -> None:
    text = f"Working paper 7\n\n{DOCUMENT}".encode()
    document = first(context, upload_document(context, officer, "a.md", text))
    assert document.title == "Reading evenings with fathers"
    assert [(section.heading, section.level) for section in document.sections] == [
        ("", 1),
        *((heading, 1) for heading in HEADINGS),
    ]


def test_a_document_without_headings(context: Context, officer: uuid.UUID) -> None:
    report_id = upload_document(context, officer, "notes.txt", b"Fathers read.\n\nChildren listen to them.")
    document = first(context, report_id)
    assert "Children listen" in "".join(section.body for section in document.sections)


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.md", b"", NoFileError),
        ("a.md", b" \n \n", EmptyDocumentError),
        ("a.md", b"# Only a heading\n", EmptyDocumentError),
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"\x00" * 64, AppError),
        ("a.bin", bytes(range(256)) * 9, NotLibraryDocumentError),
        ("a.pdf", as_pdf(text=False), ScannedDocumentError),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_is_kept(
    context: Context, officer: uuid.UUID, name: str, data: bytes, error: type[AppError]
) -> None:
    with pytest.raises(error):
        upload_document(context, officer, name, data)
    assert context.database.scalar(select(Report.id)) is None


def test_pages_whose_text_is_not_what_they_show_are_not_recognised_in_the_request(
    context: Context, officer: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pymupdf.open("pdf", scanned(essay_pdf(2))) as pictures:
        for page in pictures:
            page.insert_text((300, 750), "fathers", fontsize=6)
        data = bytes(pictures.tobytes())
    asked: list[object] = []
    monkeypatch.setattr(RapidOcr, "recognise", lambda *given: asked.append(given) or [])
    with pytest.raises(ScannedDocumentError):
        upload_document(context, officer, "a.pdf", data)
    assert asked == []


def test_a_version_is_made_current_again(context: Context, officer: uuid.UUID, report_id: uuid.UUID) -> None:
    supervision_id = start_supervision(context, officer, report_id, "quick", "automatic")
    with pytest.raises(ConflictError, match="Officer"):
        restore_version(context, officer, report_id, 1)
    run_supervision(context, supervision_id)
    assert restore_version(context, officer, report_id, 1) == 3
    with context.database.session() as session:
        versions: Any = session.scalars(select(ReportVersion).order_by(ReportVersion.version_no)).all()
        assert session.get_one(Report, report_id).current_version == 3
    assert [one.origin for one in versions] == ["uploaded", "revision", "restored"]
    assert versions[2].document == versions[0].document
    assert (versions[2].note, versions[2].made_by) == ("1", officer)
    with pytest.raises(InvalidInputError):
        restore_version(context, officer, report_id, 3)
    with pytest.raises(NotFoundError):
        restore_version(context, officer, report_id, 9)
