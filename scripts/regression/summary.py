"""Adds scores up: fields, split, review, time; for all files and for each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from scripts.regression.compare import SCORED, Verdict
from scripts.regression.prediction import FileReading
from scripts.regression.score import EntryScore, FileScore

COUNTED = (Verdict.RIGHT, Verdict.MISSED, Verdict.WRONG, Verdict.INVENTED)


def summarise(scores: Sequence[FileScore]) -> dict[str, Any]:
    """The figures of the table, over everything and by kind."""
    kinds = sorted({score.kind for score in scores})
    return {
        **_figures(scores),
        "by_kind": {kind: _figures([score for score in scores if score.kind == kind]) for kind in kinds},
    }


def report_files(readings: Sequence[FileReading], scores: Sequence[FileScore]) -> list[dict[str, Any]]:
    """Every file with its time and error, and every verdict that is not plainly right."""
    by_digest = {score.reading.sha256: score for score in scores}
    return [_report_file(reading, by_digest.get(reading.sha256)) for reading in readings]


def _figures(scores: Sequence[FileScore]) -> dict[str, Any]:
    entries = [entry for score in scores for entry in score.entries]
    labelled = [entry for entry in entries if entry.truth is not None]
    complete = [entry for entry in labelled if entry.complete_typed]
    return {
        "files": len(scores),
        "entries": len(labelled),
        "three_right": sum(entry.three_right for entry in labelled),
        "three_right_share": _share(sum(entry.three_right for entry in labelled), len(labelled)),
        "split_right": sum(score.split_right for score in scores),
        "split_right_share": _share(sum(score.split_right for score in scores), len(scores)),
        "passed_without_review": sum(entry.passed for entry in entries),
        "silent_wrong": sum(entry.silent_wrong for entry in entries),
        "complete_typed": len(complete),
        "complete_typed_passed": sum(entry.passed for entry in complete),
        "complete_typed_passed_share": _share(sum(entry.passed for entry in complete), len(complete)),
        "wrong_or_invented_share": _wrong_share(entries),
        "errors": sum(score.reading.error is not None for score in scores),
        "outcomes": dict(sorted(Counter(_outcome(entry) for entry in entries).items())),
        "seconds": round(sum(score.reading.seconds for score in scores), 2),
        "fields": {name: _field_counts(entries, name) for name in SCORED},
    }


def _field_counts(entries: Sequence[EntryScore], name: str) -> dict[str, int]:
    counts = Counter(entry.verdicts[name] for entry in entries)
    return {kind.value: counts[kind] for kind in COUNTED}


def _wrong_share(entries: Sequence[EntryScore]) -> float | None:
    """Values wrong or invented among all values given."""
    given = Counter(verdict for entry in entries for verdict in entry.verdicts.values())
    bad = given[Verdict.WRONG] + given[Verdict.INVENTED]
    return _share(bad, bad + given[Verdict.RIGHT])


def _outcome(entry: EntryScore) -> str:
    return (entry.prediction.outcome or "none") if entry.prediction else "not_found"


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


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
            "split_right": score.split_right,
            "entries": [_report_entry(entry) for entry in score.entries],
        }
    return report


def _report_entry(entry: EntryScore) -> dict[str, Any]:
    faults = {
        name: {
            "verdict": verdict.value,
            "true": entry.truth.get(name) if entry.truth else None,
            "predicted": getattr(entry.prediction, name) if entry.prediction else None,
        }
        for name, verdict in entry.verdicts.items()
        if verdict not in (Verdict.RIGHT, Verdict.EMPTY)
    }
    return {
        "pages": [entry.truth["page_start"], entry.truth["page_end"]] if entry.truth else None,
        "three_right": entry.three_right,
        "passed": entry.passed,
        "silent_wrong": entry.silent_wrong,
        "outcome": _outcome(entry),
        "reason_codes": list(entry.prediction.review_reason_codes) if entry.prediction else [],
        "hazards": list(entry.truth.get("hazards", ())) if entry.truth else [],
        "faults": faults,
    }
