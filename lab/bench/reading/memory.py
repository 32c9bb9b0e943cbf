"""Peak memory of the processes that read a long file: typed entries with some scans among them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

from core.config import load_settings
from core.confined.mupdf import pymupdf
from core.file_store import LocalFileStore
from lab.bench.fresh import fresh
from lab.bench.measure import Measure, at_most, measured
from lab.bench.reading.corpora import files_of
from lab.bench.reading.whole_file import read_whole, store_original
from lab.bench.tree_memory import peak_of_tree
from pipeline.runner import preload_pipeline

#: As many scans in the short file as in the long one: what a recognition takes is the same for both.
SCANS = 10
SHORT, LONG = 100, 1000


def measure(corpus: Path) -> list[Measure]:
    """Each length in a fresh process."""
    peaks = {}
    with tempfile.TemporaryDirectory() as folder:
        for pages in (SHORT, LONG):
            path = Path(folder) / f"{pages}.pdf"
            path.write_bytes(long_file(corpus, pages))
            peaks[pages] = fresh(f"{__name__}:read_long", str(path))
    how = (
        f"one PDF of {LONG} pages, native-text entries with {SCANS} scanned pages among them, read by one process "
        "and its parsing children from the stored file to validated records; peak of the whole tree of processes"
    )
    return [
        measured("peak_memory_mb_1000_pages", peaks[LONG]["mb"], "MB", at_most(900), how),
        measured(
            "peak_memory_ratio_1000_to_100_pages",
            peaks[LONG]["mb"] / peaks[SHORT]["mb"],
            "×",
            at_most(1.15),
            f"the same against a PDF of {SHORT} pages with as many scans ({peaks[SHORT]['mb']:.0f} MB)",
        ),
        measured(
            "long_file_ms_per_page",
            1000 * peaks[LONG]["seconds"] / LONG,
            "ms",
            None,
            "the same run, other measurements beside it",
        ),
    ]


def long_file(corpus: Path, pages: int) -> bytes:
    """A PDF of so many pages: typed entries, repeated as often as needed, and a scanned page now and then."""
    files = [file for file in files_of(corpus) if file.is_pdf]
    # Live fields of one name would be shared by all entries that have them.
    typed = [f.path for f in files if f.good_text and not f.kind.startswith(("acroform", "blank"))]
    scans = islice(cycle(f.path for f in files if f.kind.startswith("scan")), SCANS)
    with pymupdf.open() as joined:
        for number, path in enumerate(scans):
            _append(joined, [path], joined.page_count + 1)
            _append(joined, typed, pages * (number + 1) // SCANS)
        return bytes(joined.tobytes(garbage=1))


def _append(joined: pymupdf.Document, paths: Sequence[Path], until: int) -> None:
    """Append these files in turn until the document has so many pages."""
    for path in cycle(paths):
        if joined.page_count >= until:
            return
        with pymupdf.open(path) as document:
            joined.insert_pdf(document, to_page=min(document.page_count, until - joined.page_count) - 1)


def read_long(path: str) -> dict[str, float]:
    """Read the file; the peak in MB and the time in seconds."""
    settings = load_settings(_env_file=None)
    preload_pipeline(settings)
    with tempfile.TemporaryDirectory() as folder:
        store = LocalFileStore(Path(folder))
        original = store_original(Path(path), store)
        began = perf_counter()
        with peak_of_tree() as peak:
            entries = read_whole(original, settings, store)
    return {"mb": peak.mb, "seconds": perf_counter() - began, "entries": len(entries)}
