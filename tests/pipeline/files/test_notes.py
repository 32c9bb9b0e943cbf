"""What a file holds beside its pages keeps every entry of it with a person."""

from __future__ import annotations

from pathlib import Path

from core.config import Settings
from core.confined.mupdf import pymupdf
from core.file_store import LocalFileStore
from pipeline.files.content_type import MOST_NAMES, codes_of, file_note
from pipeline.reason_codes import ReasonCode
from pipeline.runner import analyse, process_submission
from pipeline.validation.policy import Policy
from tests.support.reading.paper import FORM_2026, HEADER, essay

SETTINGS = Settings(_env_file=None)


def _typed_form() -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for text in (*FORM_2026, *HEADER, *essay()):
            size = text[3] if len(text) == 4 else 10.0
            page.insert_text((text[0], text[1] + size * 0.35), text[2], fontsize=size, fontname="helv")
        return bytes(document.tobytes())


def test_an_entry_of_such_a_file_needs_a_person(tmp_path: Path) -> None:
    store = LocalFileStore(tmp_path)
    store.put("a.pdf", _typed_form())
    for notes in ((), (file_note(ReasonCode.MORE_IN_FILE, 2),)):
        analysis = analyse(store.get("a.pdf"), SETTINGS, store, notes=notes)
        record, _ = process_submission(
            "a.pdf",
            "s1",
            "artifacts/s1/1",
            "rapidocr",
            chunk_metadata=analysis.chunks[0].model_dump(mode="json"),
            doc_format=analysis.format.value,
            settings=SETTINGS,
            store=store,
            policy=Policy(),
        )
        assert record.student_name == "Marisol Vega"
        assert record.review_reason_codes == codes_of(notes)
        assert record.needs_review is bool(notes)


def test_a_note_names_a_few() -> None:
    note = file_note(ReasonCode.ATTACHMENTS, 9, [" a.pdf ", "", *(f"{n}.pdf" for n in range(8))])
    assert note.count == 9 and len(note.names) == MOST_NAMES and note.names[:2] == ["a.pdf", "0.pdf"]
