"""Pages that must be recognised: time and fields right, against plain loops over the same pages."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from time import perf_counter
from typing import Any

from PIL import Image

from core.config import Settings, load_settings
from core.file_store import LocalFileStore
from lab.bench.fresh import fresh
from lab.bench.measure import Measure, above, at_most, measured
from lab.bench.reading.corpora import Labelled, files_of, labels_of
from lab.bench.reading.plain_rapidocr import PlainRapidOcr
from lab.bench.reading.whole_file import read_whole, store_original
from pipeline import ocr_providers
from pipeline.files.intake import to_pdf
from pipeline.mupdf.file import open_pdf
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.tesseract import environment_of
from pipeline.pages.text_trust import render
from scripts.regression.pool import read_one
from scripts.regression.prediction import FileReading
from scripts.regression.read_file import read_file
from scripts.regression.scoring.compare import Verdict
from scripts.regression.scoring.score import score_files

#: Pages over which the plain loops are timed, and those that also Tesseract, the slowest, is timed on.
PAGES, TESSERACT_PAGES = 12, 6
#: Larger stacks are left out: they would be most of the pages.
_LARGEST = 9
TESSERACT_DPI = 200
#: Readers whose fields are compared at a time.
_PROCESSES = 2
#: What an entry is looked at for here.
FIELDS = ("student_name", "school_name", "grade", "father_figure_name", "phone", "email")


def measure(corpus: Path) -> list[Measure]:
    """Time in one process, in turn; fields in a process for each reader."""
    return _times(corpus) + _fields(corpus)


def _times(corpus: Path) -> list[Measure]:
    spent = fresh(f"{__name__}:time_all", str(corpus))
    how = f"{spent['pages']} scanned and photographed pages, file by file in turn, one thread each, no cache: "
    return [
        measured(
            "scan_time_ratio_to_rapidocr_loop",
            spent["ours"] / spent["rapidocr"],
            "×",
            at_most(0.5),
            how + "from the stored file to validated records, second looks included, against RapidOCR with its "
            "default settings over the same pages drawn at the same resolution",
        ),
        measured(
            "scan_time_ratio_to_tesseract",
            spent["ours_of_tesseract"] / spent["tesseract"],
            "×",
            None,
            f"the same against Tesseract (eng+spa, {TESSERACT_DPI} dpi) over {spent['tesseract_pages']} of them",
        ),
        measured("scan_s_per_page", spent["ours"] / spent["pages"], "s", None, "the same run"),
        measured("rapidocr_loop_s_per_page", spent["rapidocr"] / spent["pages"], "s", None, "the same run"),
        measured("tesseract_s_per_page", spent["tesseract"] / spent["tesseract_pages"], "s", None, "the same run"),
    ]


def time_all(corpus: str) -> dict[str, float]:
    """Every reader over every file, the first of them in turn."""
    settings = load_settings(_env_file=None)
    provider = get_provider(settings.ocr_provider, settings)
    provider.preload()
    plain = PlainRapidOcr(settings)
    plain.preload()
    spent: dict[str, float] = {"ours": 0.0, "rapidocr": 0.0, "tesseract": 0.0, "ours_of_tesseract": 0.0}
    pages = tesseract_pages = 0
    for number, (file, count) in enumerate(_sample(Path(corpus))):
        with tempfile.TemporaryDirectory() as folder:
            data, store = file.path.read_bytes(), LocalFileStore(Path(folder))
            original = store_original(file.path, store)
            readers: dict[str, Callable[[], object]] = {
                "ours": partial(read_whole, original, settings, store),
                "rapidocr": partial(_loop, data, settings, settings.ocr_dpi, plain.found_in),
            }
            if tesseract_pages < TESSERACT_PAGES:
                readers["tesseract"] = partial(_loop, data, settings, TESSERACT_DPI, _tesseract)
                tesseract_pages += count
            taken = {name: _timed(readers[name]) for name in sorted(readers, reverse=bool(number % 2))}
            pages += count
        for name, seconds in taken.items():
            spent[name] += seconds
        spent["ours_of_tesseract"] += taken["ours"] if "tesseract" in taken else 0.0
    return {**spent, "pages": pages, "tesseract_pages": tesseract_pages}


def _sample(corpus: Path) -> Iterator[tuple[Labelled, int]]:
    """Scans and photos with their page counts, a small file of each kind first, up to PAGES pages."""
    by_kind: dict[str, list[tuple[int, Labelled]]] = {}
    for file in files_of(corpus):
        if file.kind.startswith(("scan", "photo")) and (count := _page_count(file)) <= _LARGEST:
            by_kind.setdefault(file.kind, []).append((count, file))
    groups = sorted(
        (sorted(group, key=itemgetter(0)) for group in by_kind.values()), key=lambda group: group[0][0]
    )
    pages = 0
    for turn in range(max(map(len, groups), default=0)):
        for group in groups:
            if turn < len(group) and pages < PAGES:
                count, file = group[turn]
                pages += count
                yield file, count


def _page_count(file: Labelled) -> int:
    with open_pdf(to_pdf(file.path.read_bytes(), file.path.name, load_settings(_env_file=None)).pdf) as document:
        return document.page_count


def _timed(reader: Callable[[], object]) -> float:
    began = perf_counter()
    reader()
    return perf_counter() - began


def _loop(data: bytes, settings: Settings, dpi: int, recognise: Callable[[Image.Image], object]) -> None:
    """A plain loop: each page drawn, each picture recognised."""
    with open_pdf(to_pdf(data, "", settings).pdf) as document:
        for number in range(1, document.page_count + 1):
            recognise(render(document, number, dpi))


def _tesseract(picture: Image.Image) -> bytes:
    pnm = b"P6\n%d %d\n255\n" % picture.size + picture.tobytes()
    command = ["tesseract", "stdin", "stdout", "-l", "eng+spa", "tsv"]
    return subprocess.run(
        command, input=pnm, capture_output=True, check=True, env=environment_of(threads=1)
    ).stdout


def _fields(corpus: Path) -> list[Measure]:
    read = partial(fresh, f"{__name__}:fields_right", str(corpus))
    # The two slower readers first: nothing here is timed, so they may share the processors.
    with ThreadPoolExecutor(_PROCESSES) as processes:
        asked = (
            processes.submit(read, PlainRapidOcr.name),
            processes.submit(read, "tesseract", settings={"OCR_DPI": str(TESSERACT_DPI)}),
            processes.submit(read, "rapidocr"),
        )
        plain, tesseract, ours = (reader.result() for reader in asked)
    how = (
        f"share of {ours['given']} values ({', '.join(FIELDS)}) of {ours['entries']} entries on the pages of "
        "scan_time_ratio_to_rapidocr_loop that were read right, without a school list"
    )
    best = max(plain["share"], tesseract["share"])
    return [
        measured("fields_right", ours["share"], "of 1", above(round(best, 4)), how),
        measured(
            "fields_right_rapidocr_loop",
            plain["share"],
            "of 1",
            None,
            "the same pages and the same extractor over RapidOCR with its default settings",
        ),
        measured(
            "fields_right_tesseract",
            tesseract["share"],
            "of 1",
            None,
            f"the same pages and the same extractor over Tesseract (eng+spa, {TESSERACT_DPI} dpi)",
        ),
    ]


@dataclass(frozen=True)
class _Reader:
    provider: str

    def __call__(self, path: Path) -> list[Any]:
        return read_file(path, False, self.provider, None, None)


def fields_right(corpus: str, provider: str) -> dict[str, float]:
    """How many of the values on the pages were read right with a provider."""
    ocr_providers.ALL_PROVIDERS += (PlainRapidOcr,)
    folder = Path(corpus)
    readings = [read_one(file.path, _Reader(provider)) for file, _ in _sample(folder)]
    return _share_right(readings, labels_of(folder))


def _share_right(readings: Sequence[FileReading], labels: dict[str, Any]) -> dict[str, float]:
    for reading in readings:
        if reading.error:
            raise RuntimeError(f"{reading.file}: {reading.error}")
    entries = [entry for score in score_files(readings, labels) for entry in score.entries if entry.truth]
    verdicts = [
        entry.verdicts[name] for entry in entries for name in FIELDS if entry.truth and entry.truth.get(name)
    ]
    right = sum(verdict is Verdict.RIGHT for verdict in verdicts)
    return {"share": right / max(1, len(verdicts)), "given": len(verdicts), "entries": len(entries)}
