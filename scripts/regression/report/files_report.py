"""The report's part on single files: every verdict that is not plainly right, and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scripts.regression.prediction import FileReading, Prediction, Seen
from scripts.regression.scoring.compare import Verdict
from scripts.regression.scoring.figures import outcome
from scripts.regression.scoring.score import GOOD, EntryScore, FileScore

#: Counted over the essay: it stands where the essay stands.
_STANDS_WITH = {"word_count": "essay_text"}


def report_files(readings: Sequence[FileReading], scores: Sequence[FileScore]) -> list[dict[str, Any]]:
    """Every file with its time, its error and the faults of its entries."""
    by_digest = {score.reading.sha256: score for score in scores}
    return [_report_file(reading, by_digest.get(reading.sha256)) for reading in readings]


def _report_file(reading: FileReading, score: FileScore | None) -> dict[str, Any]:
    report: dict[str, Any] = {
        "file": reading.file,
        "sha256": reading.sha256,
        "seconds": round(reading.seconds, 3),
        "error": reading.error,
        "entries_found": len(reading.predictions),
    }
    if score is not None:
        report |= {
            "kind": score.kind,
            "part": score.part,
            "split_right": score.split_right,
            "entries": [_report_entry(entry) for entry in score.entries],
        }
    return report


def _report_entry(entry: EntryScore) -> dict[str, Any]:
    truth, prediction = entry.truth, entry.prediction
    return {
        "pages": [truth["page_start"], truth["page_end"]] if truth else None,
        "pages_read": [prediction.page_start, prediction.page_end] if prediction else None,
        "three_right": entry.three_right,
        "passed": entry.passed,
        "silent_wrong": entry.silent_wrong,
        "outcome": outcome(entry),
        "reason_codes": list(prediction.review_reason_codes) if prediction else [],
        "hazards": list(truth.get("hazards", ())) if truth else [],
        "faults": {name: _fault(entry, name) for name, verdict in entry.verdicts.items() if verdict not in GOOD},
    }


def _fault(entry: EntryScore, name: str) -> dict[str, Any]:
    place = _STANDS_WITH.get(name, name)
    seen = _seen(entry.prediction, name) or _seen(entry.prediction, place)
    fault: dict[str, Any] = {
        "verdict": entry.verdicts[name].value,
        "true": entry.truth.get(name) if entry.truth else None,
        "predicted": getattr(entry.prediction, name) if entry.prediction else None,
        "confidence": round(seen.confidence, 4) if seen else None,
        "source": seen.source if seen else None,
        "method": seen.method if seen else None,
        "true_place": entry.truth.get("boxes", {}).get(place) if entry.truth else None,
        "read_places": [[page, [round(v, 4) for v in box]] for page, box in seen.places] if seen else [],
    }
    if name == "word_count" and entry.verdicts[name] is Verdict.WRONG and entry.truth:
        fault["true_range"] = list(entry.truth["word_count_range"])
    return fault


def _seen(prediction: Prediction | None, name: str) -> Seen | None:
    return prediction.seen.get(name) if prediction else None
