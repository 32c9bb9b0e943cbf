"""Scores and reports made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scripts.regression.prediction import FileReading, Prediction, Seen
from scripts.regression.report.files_report import report_files
from scripts.regression.scoring.score import FileScore, score_files
from scripts.regression.scoring.summary import summarise

TRUTH: dict[str, Any] = {
    "student_name": "Ana Ruiz",
    "school_name": "Cedar Bend",
    "grade": "3",
    "word_count": 80,
    "word_count_range": [76, 84],
    "page_start": 1,
    "page_end": 1,
    "complete": True,
    "typed": True,
}
RIGHT: dict[str, Any] = {"student_name": "Ana Ruiz", "school_name": "Cedar Bend", "grade": "3", "word_count": 80}


def label(kind: str = "plain", part: str | None = None, **truth: Any) -> dict[str, Any]:
    """The label of a file with one entry."""
    content: dict[str, Any] = {"file": "a.pdf", "kind": kind, "entries": [{**TRUTH, **truth}]}
    return content | ({"part": part} if part else {})


def prediction(seen: Mapping[str, Seen] | None = None, **changes: Any) -> Prediction:
    """A prediction that is right and passes, but for the changes."""
    return Prediction(
        **{**RIGHT, "needs_review": False, "outcome": "completed", "seen": dict(seen or {}), **changes}
    )


def reading(*predictions: Prediction, sha256: str = "a", file: str | None = None) -> FileReading:
    """A file that was read; its digest is its name."""
    return FileReading(file or f"{sha256}.pdf", sha256, list(predictions), 0.5)


def scores(*pairs: tuple[Mapping[str, Any], Prediction]) -> list[FileScore]:
    """Files of one entry each, by label and prediction."""
    readings = [reading(found, sha256=f"file{number}") for number, (_, found) in enumerate(pairs)]
    return score_files(readings, {f"file{number}": label for number, (label, _) in enumerate(pairs)})


def report(*pairs: tuple[Mapping[str, Any], Prediction], mode: str = "orchestrator") -> dict[str, Any]:
    """A report as the check writes it."""
    made = scores(*pairs)
    run = {
        "wall_seconds": 1.0,
        "summary": summarise(made),
        "files": report_files([score.reading for score in made], made),
    }
    return {"ocr_provider": "rapidocr", "modes": {mode: run}}
