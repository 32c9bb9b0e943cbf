"""RapidOCR's own settings side by side: time a page, and header values that stand in what was read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

import cv2
import numpy as np
from rapidfuzz import fuzz
from rapidocr import EngineType, RapidOCR

from core.config import load_settings
from lab.bench.fresh import fresh
from lab.bench.reading.corpora import Labelled, files_of
from lab.bench.results import Table
from pipeline.extraction.values.text import squeezed
from pipeline.files.intake import to_pdf
from pipeline.mupdf.file import open_pdf
from pipeline.ocr_providers.rapidocr import PARAMETERS
from pipeline.pages.text_trust import render

#: One thread each, as a worker recognises.
_THREADS = {"EngineConfig.onnxruntime.intra_op_num_threads": 1, "EngineConfig.openvino.inference_num_threads": 1}
_OPENVINO = dict.fromkeys(("Det.engine_type", "Rec.engine_type", "Cls.engine_type"), "openvino")
_NO_CLASSIFIER = {"Global.use_cls": False}
_OURS = {**PARAMETERS, **_OPENVINO}
#: What is tried: RapidOCR's defaults, each change to them alone, then ours with each setting at other values.
SETTINGS: dict[str, dict[str, Any]] = {
    "defaults (ONNX Runtime)": {},
    "classifier off": _NO_CLASSIFIER,
    "OpenVINO": _OPENVINO,
    "OpenVINO, classifier off": {**_OPENVINO, **_NO_CLASSIFIER},
    "OpenVINO, classifier off, batch of 1": {**_OPENVINO, **_NO_CLASSIFIER, "Rec.rec_batch_num": 1},
    "OpenVINO, classifier off, batch of 12": {**_OPENVINO, **_NO_CLASSIFIER, "Rec.rec_batch_num": 12},
    "as set": _OURS,
    "as set, ONNX Runtime": PARAMETERS,
    "as set, detector's longer side 960": {**_OURS, "Det.limit_type": "max", "Det.limit_side_len": 960},
    "as set, detector's longer side 1600": {**_OURS, "Det.limit_type": "max", "Det.limit_side_len": 1600},
    "as set, detector at the picture's size": {**_OURS, "Det.limit_side_len": 2600},
    "as set, batch of 1": {**_OURS, "Rec.rec_batch_num": 1},
    "as set, batch of 12": {**_OURS, "Rec.rec_batch_num": 12},
}
PAGES = 16
FIELDS = ("student_name", "school_name", "father_figure_name", "email", "phone")
#: Minimum similarity of a value to a part of the recognised text to count as found.
_STANDS = 90.0


def table(corpus: Path) -> Table:
    """Each setting in a fresh process over the same pages."""
    rows = []
    for name in SETTINGS:
        found = fresh(f"{__name__}:try_one", str(corpus), name)
        rows.append([name, found["seconds"], found["share"], found["letters"]])
    base = rows[0][1]
    return {
        "title": "RapidOCR's settings",
        "text": f"{PAGES} scanned and photographed pages at the OCR resolution, one thread, models loaded before. "
        f"Found: share of the values of {', '.join(FIELDS)} that stand in the text read (likeness of "
        f"{_STANDS:.0f} of 100).",
        "columns": ["settings", "s a page", "of the defaults' time", "values found", "letters read a page"],
        "rows": [
            [name, round(s, 3), round(s / base, 3), round(share, 3), round(letters)]
            for name, s, share, letters in rows
        ],
    }


def try_one(corpus: str, name: str) -> dict[str, float]:
    """One setting over the pages."""
    cv2.setNumThreads(1)
    given = {
        key: EngineType(value) if key.endswith("engine_type") else value for key, value in SETTINGS[name].items()
    }
    engine = RapidOCR(params={**_THREADS, "Global.log_level": "critical", **given})
    engine(np.full((200, 400, 3), 255, np.uint8))
    seconds, letters, found = [], [], []
    for file in _sample(Path(corpus)):
        text = ""
        for picture in _pictures(file):
            began = perf_counter()
            read = engine(picture)
            seconds.append(perf_counter() - began)
            text += squeezed(" ".join(read.txts or ()))
        letters.append(len(text))
        found += [fuzz.partial_ratio(value, text) >= _STANDS for value in _values(file)]
    return {"seconds": fmean(seconds), "share": fmean(found), "letters": sum(letters) / len(seconds)}


def _sample(corpus: Path) -> Iterator[Labelled]:
    """Scans and photos, each kind in turn, until there are so many pages."""
    by_kind: dict[str, list[Labelled]] = {}
    for file in files_of(corpus):
        if file.kind.startswith(("scan", "photo")):
            by_kind.setdefault(file.kind, []).append(file)
    pages = 0
    for turn in range(max(map(len, by_kind.values()), default=0)):
        for group in by_kind.values():
            if turn < len(group) and pages < PAGES:
                pages += len(list(_pictures(group[turn])))
                yield group[turn]


def _pictures(file: Labelled) -> Iterator[np.ndarray[Any, Any]]:
    """The first pages of a file, as the engine takes them."""
    settings = load_settings(_env_file=None)
    with open_pdf(to_pdf(file.path.read_bytes(), file.path.name, settings).pdf) as document:
        for number in range(1, min(document.page_count, 3) + 1):
            picture = render(document, number, settings.ocr_dpi)
            yield np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])


def _values(file: Labelled) -> list[str]:
    """The values that stand on the pages that are read."""
    return [
        squeezed(str(entry[name]))
        for entry in file.label["entries"]
        for name in FIELDS
        if entry.get(name) and (entry["page_end"] or 1) <= 3 and len(squeezed(str(entry[name]))) > 3
    ]
