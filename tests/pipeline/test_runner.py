"""One entry from the stored PDF to the validated record and its artifacts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.config import Settings
from core.confined.mupdf import pymupdf
from core.errors import NotFoundError
from core.file_store import LocalFileStore
from pipeline.runner import analyse, process_submission
from pipeline.validation.policy import Policy
from tests.support.reading.paper import FORM_2026, HEADER, RULES, Set, essay

SETTINGS = Settings(_env_file=None)


def printed(*pages: list[Set]) -> bytes:
    """A flattened form: text on pages."""
    with pymupdf.open() as document:
        for texts in pages:
            page = document.new_page(width=612, height=792)
            for text in texts:
                size = text[3] if len(text) == 4 else 10.0
                page.insert_text((text[0], text[1] + size * 0.35), text[2], fontsize=size, fontname="helv")
        return bytes(document.tobytes())


@pytest.fixture
def store(tmp_path: Path) -> LocalFileStore:
    files = LocalFileStore(tmp_path)
    two = [[*FORM_2026, *HEADER, *essay()], RULES]
    files.put("uploads/a.pdf", printed(*two, *two))
    return files


def test_each_chunk_becomes_a_record_with_artifacts(store: LocalFileStore) -> None:
    analysis = analyse(store.get("uploads/a.pdf"), SETTINGS, store)
    assert [(c.page_start, c.page_end) for c in analysis.chunks] == [(1, 2), (3, 4)]
    record, report = process_submission(
        "uploads/a.pdf",
        "s2",
        "artifacts/s2/1",
        "rapidocr",
        "Somebody Else.pdf",
        analysis.chunks[1].model_dump(mode="json"),
        analysis.format.value,
        settings=SETTINGS,
        store=store,
        policy=Policy(),
    )
    assert (record.student_name, record.school_name, record.grade) == ("Marisol Vega", "Juniper School", "4")
    assert (record.page_start, record.page_end, record.word_count) == (3, 4, 80)
    assert not record.needs_review
    assert record.readings["grade"].evidence[0].page == 3
    assert report["missing_fields"] == []
    assert report["ocr_summary"]["pages_recognised"] == []
    kept = json.loads(store.get("artifacts/s2/1/reading.json"))
    assert kept["record"]["essay_text"] == record.essay_text
    assert "raw_text" not in kept["report"]
    assert store.get("artifacts/s2/1/text.txt").decode() == report["raw_text"]
    assert "Marisol Vega" in report["raw_text"]


def test_without_a_chunk_the_file_is_one_entry(store: LocalFileStore) -> None:
    record, _ = process_submission(
        "uploads/a.pdf", "s1", "artifacts/s1", "rapidocr", settings=SETTINGS, store=store, policy=Policy()
    )
    assert (record.page_start, record.page_end) == (1, 4)
    assert record.word_count == 160


def test_a_blank_form_is_an_entry_of_nulls(store: LocalFileStore) -> None:
    store.put("uploads/b.pdf", printed(FORM_2026, RULES))
    chunk = analyse(store.get("uploads/b.pdf"), SETTINGS, store).chunks[0]
    record, _ = process_submission(
        "uploads/b.pdf",
        "s3",
        "artifacts/s3",
        "rapidocr",
        chunk_metadata=chunk.model_dump(mode="json"),
        settings=SETTINGS,
        store=store,
        policy=Policy(),
    )
    assert record.student_name is None
    assert record.word_count is None
    assert "TEMPLATE_ONLY" in record.review_reason_codes
    assert record.needs_review


def test_a_missing_file_is_said_to_be(store: LocalFileStore) -> None:
    with pytest.raises(NotFoundError):
        process_submission(
            "uploads/none.pdf", "s", "a/s", "rapidocr", settings=SETTINGS, store=store, policy=Policy()
        )


@pytest.mark.parametrize(
    "policy", [Policy(known_schools={"Juniper School": []}), Policy(taught_schools=("Juniper School",))]
)
def test_a_known_school_is_confirmed_whether_listed_or_taught(store: LocalFileStore, policy: Policy) -> None:
    record, _ = process_submission(
        "uploads/a.pdf", "s1", "artifacts/s1", "rapidocr", settings=SETTINGS, store=store, policy=policy
    )
    assert record.readings["school_name"].method.endswith("+ school list")


def test_without_a_list_no_school_is_unknown_whatever_is_taught(store: LocalFileStore) -> None:
    record, _ = process_submission(
        "uploads/a.pdf",
        "s1",
        "artifacts/s1",
        "rapidocr",
        settings=SETTINGS,
        store=store,
        policy=Policy(taught_schools=("Foxglove Academy",)),
    )
    assert "UNKNOWN_SCHOOL" not in record.review_reason_codes
