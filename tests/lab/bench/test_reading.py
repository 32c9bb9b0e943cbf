"""The measurements of reading, on corpora of a few files."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import load_settings
from core.confined.mupdf import pymupdf
from core.file_store import LocalFileStore
from lab.bench.reading import memory, typed
from lab.bench.reading.corpora import files_of
from lab.bench.reading.whole_file import read_whole, store_original
from lab.bench_reading import MEASUREMENTS, main
from lab.samples.corpus import draw_corpus, write_corpus

KINDS = frozenset({"freeform_native", "gdocs_form_26", "docx_freeform", "scan_single_25_hand"})


@pytest.fixture(scope="module")
def corpus(sample_fonts: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file of each kind."""
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder, draw_corpus(4, 5, KINDS))
    return folder


def test_typed_files_are_read_beside_the_bare_loop_without_recognition(corpus: Path) -> None:
    found = typed.one_round(str(corpus))
    pages = sum(len(pymupdf.open(file.path)) for file in files_of(corpus) if file.is_pdf and file.good_text)
    assert found["pages"] == pages
    assert found["ocr_calls"] == 0
    assert found["ours"] > found["bare"] > 0


def test_a_stored_file_is_read_to_records(corpus: Path, tmp_path: Path) -> None:
    settings, store = load_settings(_env_file=None), LocalFileStore(tmp_path)
    for file in (file for file in files_of(corpus) if file.good_text):
        (record,) = read_whole(store_original(file.path, store), settings, store)
        assert record.student_name == file.label["entries"][0]["student_name"]


def test_a_long_file_has_the_pages_asked_for_and_as_many_scans_as_any_other(corpus: Path) -> None:
    with pymupdf.open("pdf", memory.long_file(corpus, 23)) as document:
        assert document.page_count == 23
        assert sum(not page.get_text("words") for page in document) == memory.SCANS


def test_an_unknown_measurement_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "typed,speed"]) == 2
    said = capsys.readouterr().err
    assert "speed" in said and all(name in said for name in MEASUREMENTS)
