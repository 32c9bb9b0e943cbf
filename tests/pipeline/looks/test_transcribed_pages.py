"""A recogniser without places and scores is asked once a page: no answer to a second question could be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import create_autospec

import pytest

from core.config import Settings
from core.file_store import LocalFileStore
from core.llm.chat import ChatModel
from pipeline.extract_ifi import read_entry
from pipeline.extraction.page_roles import roles_of
from pipeline.looks.second_look import enlarged, from_nearer, from_sharpened_pages, propose, with_faint_ink
from pipeline.ocr_providers import get_provider
from pipeline.recognition.page_contents import read_pages
from pipeline.runner import unvalidated_record
from pipeline.schema import SubmissionRecord
from pipeline.second_reader.reader import ask_second_reader
from pipeline.splitting.document_analysis import analyse_document
from tests.support.reading.drawn import drawn
from tests.support.reading.paper import FORM_2026, HEADER, essay
from tests.support.reading.recognisers import settings_for
from tests.support.servers.groq_server import GroqServer, answer

LINES = [
    "2026 IFI Fatherhood Essay Contest",
    "Student's Name / Nombre del Estudiante Mia Grade / Grado",
    "Father/Father-Figure Name / Nombre del Padre/Figura Paterna Ernesto Vega School / Escuela Juniper School",
    "Email e.vega@example.org Phone / Teléfono 312-555-0134",
    '"What my father or an important father-figure* means to me"',
    "My father listens first and answers later.",
]


@pytest.fixture
def server() -> Iterator[GroqServer]:
    with GroqServer(otherwise=answer({"lines": LINES})) as running:
        yield running
        assert running.faults == []


def test_a_page_costs_one_call_whatever_is_missing_or_weak(server: GroqServer, tmp_path: Path) -> None:
    settings: Settings = settings_for(server, ocr_provider="groq")
    store, provider = LocalFileStore(tmp_path), get_provider("groq", settings)
    pdf = drawn([*FORM_2026, *HEADER, *essay()])
    pages = read_pages(pdf, settings, store)
    roled = roles_of(pages)
    readings, _ = read_entry(pages, roled, improve=from_nearer(pdf, settings, store, provider))
    record = unvalidated_record(readings, pages, analyse_document(pages, settings).chunks[0], "s1")
    assert (record.student_name, record.school_name, record.grade) == ("Mia", "Juniper School", None)
    assert with_faint_ink(pdf, roled, settings, store, provider) is None
    looked = enlarged(["student_name", "grade", "email"], pdf, pages, settings, store)
    assert looked == {}
    for field in ("student_name", "grade", "email"):
        assert propose(field, pdf, record, pages, settings, store, {}) == []
    assert len(server.requests) == 1


def test_a_second_reader_of_the_same_kind_is_not_asked(server: GroqServer, tmp_path: Path) -> None:
    """Both would make the same mistakes, and no place is known well enough to leave the essay out."""
    settings: Settings = settings_for(server, ocr_provider="groq")
    store, pdf = LocalFileStore(tmp_path), drawn([*FORM_2026, *HEADER, *essay()])
    store.put("entry.pdf", pdf)
    record = SubmissionRecord(submission_id="s1")
    asked = create_autospec(ChatModel, instance=True)
    found = ask_second_reader(
        ["grade"], "entry.pdf", "groq", record, model=asked, settings=settings, store=store, schools={}
    )
    assert found is None and not asked.ask.called


def test_no_part_of_a_page_with_known_places_is_asked_for(server: GroqServer, tmp_path: Path) -> None:
    # As a typed form is that was written on by hand: it keeps its layout, and its fields could be cut out.
    settings: Settings = settings_for(server, ocr_provider="groq")
    store, provider = LocalFileStore(tmp_path), get_provider("groq", settings)
    pdf = drawn([*FORM_2026, *HEADER, *essay()])
    pages = read_pages(pdf, settings_for(), None, "rapidocr")
    roled = roles_of(pages)
    assert roled[0].reading.fixed
    readings, _ = read_entry(pages, roled, improve=from_nearer(pdf, settings, store, provider))
    assert readings["student_name"].value == "Marisol Vega"
    assert from_sharpened_pages("grade", pdf, roled, settings, store) == []
    assert server.requests == []
