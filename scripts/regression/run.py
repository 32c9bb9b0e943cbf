"""One run of the check: read, score, write, compare."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from scripts.regression.pool import Reader, read_all
from scripts.regression.prediction import FileReading, Prediction
from scripts.regression.reader import ReadFile, bound
from scripts.regression.report.diff_table import diff_table
from scripts.regression.report.files_report import report_files
from scripts.regression.report.html_report import write_html
from scripts.regression.report.modes_diff import ModeRun, diff_modes
from scripts.regression.report.table import table
from scripts.regression.school_list import SchoolList
from scripts.regression.scoring.score import score_files
from scripts.regression.scoring.summary import summarise
from scripts.regression.together import Together, changes_of

MODES = {"true": ("orchestrator",), "false": ("direct",), "both": ("orchestrator", "direct")}


@dataclass(frozen=True)
class Check:
    """What is to be read and how."""

    files: Sequence[Path]
    output: Path
    labels: Mapping[str, Any]
    modes: tuple[str, ...]
    provider: str
    workers: int
    cache: Path | None = None
    schools: SchoolList | None = None
    together: Together = Together.FILE
    #: What a season sets for itself, by the names of the policy's fields.
    rules: Mapping[str, Any] | None = None


def run_check(check: Check, read_file: ReadFile) -> dict[str, Any]:
    """Read every file in every mode, write predictions and reports, print the tables; returns the report."""
    check.output.mkdir(parents=True, exist_ok=True)
    report: dict[str, Any] = {"ocr_provider": check.provider, "modes": {}}
    runs: list[ModeRun] = []
    with tempfile.TemporaryDirectory(prefix="regression-") as folder:
        cache = check.cache or Path(folder)
        changes = changes_of(
            check.together, check.files, check.provider, cache, check.schools, check.workers, check.rules
        )
        if check.rules is not None:
            read_file = partial(read_file, rules=check.rules)
        for mode in check.modes:
            reader = bound(read_file, mode, check.provider, cache, check.schools, changes)
            run, report["modes"][mode] = _run_mode(check, mode, reader)
            runs.append(run)
    if len(runs) == 2:
        report["modes_diff"] = diff_modes(*runs)
        print(diff_table(report["modes_diff"]))
    write_json(check.output / "report.json", report)
    write_html(check.output / "report.html", report, check.files)
    return report


def _run_mode(check: Check, mode: str, reader: Reader) -> tuple[ModeRun, dict[str, Any]]:
    started = perf_counter()
    readings = read_all(check.files, reader, check.workers, mode)
    wall = perf_counter() - started
    alone_or_graph = mode == "orchestrator" or len(check.modes) == 1
    write_json(
        check.output / ("predictions.json" if alone_or_graph else "predictions_direct.json"),
        _predictions(readings, Prediction.as_json),
    )
    if mode == "orchestrator":
        write_json(check.output / "proposals.json", _predictions(readings, Prediction.proposals_as_json))
    scores = score_files(readings, check.labels)
    summary = summarise(scores)
    if scores:
        print(table(mode, summary, wall))
    for reading in readings:
        if reading.error:
            print(f"could not be read: {reading.file}: {reading.error}")
    report = {"wall_seconds": round(wall, 1), "summary": summary, "files": report_files(readings, scores)}
    return ModeRun(mode, readings, scores), report


def _predictions(
    readings: Sequence[FileReading], written: Callable[[Prediction], dict[str, Any]]
) -> dict[str, list[dict[str, Any]]]:
    return {
        reading.sha256: [written(p) for p in sorted(reading.predictions, key=lambda p: p.page_start)]
        for reading in readings
    }


def write_json(path: Path, content: Any) -> None:
    """Write a file that a person can read too."""
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
