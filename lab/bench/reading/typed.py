"""Files with good text: time against a bare loop over the same pages, and that nothing of them is recognised."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from unittest.mock import patch

from core.config import load_settings
from core.confined.mupdf import pymupdf
from core.file_store import LocalFileStore
from lab.bench.fresh import fresh
from lab.bench.measure import Measure, at_most, exactly, measured
from lab.bench.reading.corpora import files_of
from lab.bench.reading.whole_file import read_whole, store_original
from pipeline.ocr_providers.rapidocr import RapidOcr
from pipeline.runner import preload_pipeline

ROUNDS = 5
#: Where files lie in memory: the bare loop writes none, and waiting for a disk is not reading.
MEMORY = next((folder for folder in ("/dev/shm",) if Path(folder).is_dir()), None)


def measure(corpus: Path) -> list[Measure]:
    """Median of several fresh processes."""
    rounds = [fresh(f"{__name__}:one_round", str(corpus)) for _ in range(ROUNDS)]
    ratio = median(r["ours"] / r["bare"] for r in rounds)
    pages = rounds[0]["pages"]
    milliseconds = {who: 1000 * median(r[who] for r in rounds) / pages for who in ("ours", "bare")}
    return [
        measured(
            "typed_time_ratio_to_bare_text_loop",
            ratio,
            "×",
            at_most(3),
            f"{pages} pages of native-text PDFs, file by file in turn with the bare loop, median of {ROUNDS} "
            "fresh processes: from the stored file to validated records (take in, split, read, validate, write "
            "artifacts; the file store in memory) against PyMuPDF's words and widgets of the same pages; what a "
            "worker loads before it takes jobs is loaded before",
        ),
        measured("typed_ms_per_page", milliseconds["ours"], "ms", None, "the same runs"),
        measured("bare_text_loop_ms_per_page", milliseconds["bare"], "ms", None, "the same runs"),
        measured(
            "ocr_calls_on_good_text",
            max(r["ocr_calls"] for r in rounds),
            "calls",
            exactly(0),
            "pictures handed to the recogniser while these files, and Word files, were read",
        ),
    ]


def one_round(corpus: str) -> dict[str, float]:
    """Every file once, the bare loop first or last in turn."""
    files = [file for file in files_of(Path(corpus)) if file.good_text]
    settings = load_settings(_env_file=None)
    preload_pipeline(settings)
    spent = {"ours": 0.0, "bare": 0.0}
    pages = 0
    with (
        tempfile.TemporaryDirectory(dir=MEMORY) as folder,
        patch.object(RapidOcr, "recognise", autospec=True) as ocr,
    ):
        ocr.return_value = []
        store = LocalFileStore(Path(folder))
        for number, file in enumerate(files):
            original = store_original(file.path, store)
            if not file.is_pdf:
                read_whole(original, settings, store)
                continue
            for who in ("ours", "bare") if number % 2 else ("bare", "ours"):
                began = perf_counter()
                if who == "ours":
                    read_whole(original, settings, store)
                else:
                    pages += bare_loop(file.path)
                spent[who] += perf_counter() - began
    return {**spent, "pages": pages, "ocr_calls": ocr.call_count}


def bare_loop(path: Path) -> int:
    """Only the words and the widgets of each page; returns how many pages."""
    with pymupdf.open("pdf", path.read_bytes()) as document:
        for page in document:
            page.get_text("words")
            [(widget.field_name, widget.field_value) for widget in page.widgets()]
        return int(document.page_count)
