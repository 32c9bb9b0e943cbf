"""The readings of two modes side by side: per entry and field, where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.regression.prediction import FileReading, Prediction
from scripts.regression.scoring.compare import SCORED
from scripts.regression.scoring.score import FileScore

#: What is set side by side: all that `predictions.json` holds but the pages, by which entries find each other.
COMPARED = (*SCORED, "needs_review", "outcome", "review_reason_codes", "doc_class")
_Pages = tuple[int, int]
_Truths = Mapping[tuple[str, _Pages], Mapping[str, Any]]


@dataclass(frozen=True)
class ModeRun:
    """One mode over all files, in their order."""

    mode: str
    readings: Sequence[FileReading]
    scores: Sequence[FileScore]


def diff_modes(left: ModeRun, right: ModeRun) -> dict[str, Any]:
    """Counts by field, the outcomes against each other, and every difference with both values."""
    truths = {**_truths(right), **_truths(left)}
    pairs = [
        pair for a, b in zip(left.readings, right.readings, strict=True) for pair in _pairs(a.file, a.sha256, a, b)
    ]
    differences = [
        difference for pair in pairs for difference in _differences(pair, (left.mode, right.mode), truths)
    ]
    counts = Counter(difference["field"] for difference in differences)
    outcomes = Counter((p.left.outcome, p.right.outcome) for p in pairs if p.left and p.right)
    return {
        "modes": [left.mode, right.mode],
        "entries": len(pairs),
        "entries_with_other_values": len(
            {(d["sha256"], *d["pages"]) for d in differences if d["field"] in (*SCORED, "entry")}
        ),
        "fields": {name: counts[name] for name in ("entry", *COMPARED)},
        "outcomes": [
            {left.mode: a, right.mode: b, "entries": count} for (a, b), count in sorted(outcomes.items(), key=str)
        ],
        "differences": differences,
    }


@dataclass(frozen=True)
class _Pair:
    """One entry in both modes; None where a mode did not find it."""

    file: str
    sha256: str
    pages: _Pages
    left: Prediction | None
    right: Prediction | None


def _pairs(file: str, sha256: str, a: FileReading, b: FileReading) -> Iterator[_Pair]:
    left = {(p.page_start, p.page_end): p for p in a.predictions}
    right = {(p.page_start, p.page_end): p for p in b.predictions}
    for pages in sorted(left.keys() | right.keys()):
        yield _Pair(file, sha256, pages, left.get(pages), right.get(pages))


def _differences(pair: _Pair, modes: tuple[str, str], truths: _Truths) -> Iterator[dict[str, Any]]:
    where = {"file": pair.file, "sha256": pair.sha256, "pages": list(pair.pages)}
    if pair.left is None or pair.right is None:
        found = (pair.left is not None, pair.right is not None)
        yield {**where, "field": "entry", **dict(zip(modes, found, strict=True))}
        return
    truth = truths.get((pair.sha256, pair.pages), {})
    for name in COMPARED:
        values = _plain(getattr(pair.left, name)), _plain(getattr(pair.right, name))
        if values[0] != values[1]:
            known = {"true": truth[name]} if name in truth and name in SCORED else {}
            yield {**where, "field": name, **dict(zip(modes, values, strict=True)), **known}


def _plain(value: Any) -> Any:
    """Reason codes have no order."""
    return sorted(value) if isinstance(value, list) else value


def _truths(run: ModeRun) -> dict[tuple[str, _Pages], Mapping[str, Any]]:
    return {
        (score.reading.sha256, (entry.prediction.page_start, entry.prediction.page_end)): entry.truth
        for score in run.scores
        for entry in score.entries
        if entry.prediction is not None and entry.truth is not None
    }
