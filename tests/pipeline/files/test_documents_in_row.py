"""PDFs one behind the other in one file are told from one PDF in several versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.files.intake import documents_in_row, to_pdf
from pipeline.reason_codes import ReasonCode
from tests.support.reading.documents import drawn, essay_pdf

SETTINGS = load_settings()
BOUNDS = SETTINGS.file_bounds


def _said(text: str, **save: object) -> bytes:
    return drawn(lambda page: page.insert_text((72, 80), text), **save)


def _texts(pdf: bytes) -> list[str]:
    with pymupdf.open("pdf", pdf) as document:
        return [page.get_text().strip() for page in document]


def _later_version(pdf: bytes, folder: Path) -> bytes:
    path = folder / "versions.pdf"
    path.write_bytes(pdf)
    with pymupdf.open(path) as document:
        document.load_page(0).insert_text((72, 200), "A later line")
        document.saveIncr()
    return path.read_bytes()


@pytest.mark.parametrize(
    "between", [b"", b"\r\n\r\n", b"\x1b%-12345X@PJL ENTER LANGUAGE=PDF\n"], ids=["nothing", "lines", "printer"]
)
@pytest.mark.parametrize("save", [{}, {"use_objstms": 1, "garbage": 3, "deflate": True}], ids=["plain", "packed"])
def test_each_document_is_read(between: bytes, save: dict[str, object]) -> None:
    intake = to_pdf(
        between.join([_said("One", **save), _said("Two", **save), _said("Three", **save)]), "", SETTINGS
    )
    assert _texts(intake.pdf) == ["One", "Two", "Three"]
    assert intake.converted and not intake.notes


def test_documents_of_the_same_layout_are_told_apart() -> None:
    # The table that the second one gives the place of stands at that place of the first.
    assert _texts(to_pdf(_said("Ann") + _said("Bob"), "", SETTINGS).pdf) == ["Ann", "Bob"]


def test_a_later_version_is_no_document(tmp_path: Path) -> None:
    versions = _later_version(_said("One"), tmp_path)
    intake = to_pdf(versions, "", SETTINGS)
    assert intake.pdf is versions
    assert not intake.notes
    assert _texts(to_pdf(versions + _said("Two"), "", SETTINGS).pdf) == ["One\nA later line", "Two"]


def test_a_later_version_that_repeats_the_header_is_none_either(tmp_path: Path) -> None:
    first = _said("One")
    versions = _later_version(first, tmp_path)
    at = len(first)
    repeated = versions[:at] + b"\n%PDF-1.7\n" + versions[at:]
    intake = to_pdf(repeated, "", SETTINGS)
    assert _texts(intake.pdf) == ["One\nA later line"]
    assert not intake.notes


def test_the_same_document_twice_is_read_once() -> None:
    pdf = essay_pdf()
    assert documents_in_row(pdf + pdf, BOUNDS).documents == [pdf]


def test_a_document_that_is_broken_is_named() -> None:
    other = _said("Two")
    intake = to_pdf(_said("One") + other[: len(other) // 3], "", SETTINGS)
    assert _texts(intake.pdf) == ["One"]
    assert [(note.code, note.count) for note in intake.notes] == [(ReasonCode.MORE_IN_FILE, 1)]


def test_a_pdf_within_a_stream_is_no_document_in_a_row() -> None:
    with pymupdf.open("pdf", _said("One")) as document:
        document.embfile_add("a.pdf", _said("Two"), filename="a.pdf")
        document.embfile_add("b.pdf", _said("Three"), filename="b.pdf")
        data = bytes(document.tobytes(deflate=False))
    assert documents_in_row(data, BOUNDS).documents == [data]
