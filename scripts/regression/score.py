"""Compares the readings of all files with their labels: one verdict a field, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scripts.regression.compare import SCORED, Verdict, verdict
from scripts.regression.match import match, split_right
from scripts.regression.prediction import FileReading, Prediction

HEADLINE = ("student_name", "school_name", "grade")
_GOOD = (Verdict.RIGHT, Verdict.EMPTY)


@dataclass(frozen=True)
class EntryScore:
    """One labelled entry, or one predicted entry that no label knows."""

    kind: str
    verdicts: dict[str, Verdict]
    truth: Mapping[str, Any] | None
    prediction: Prediction | None

    @property
    def three_right(self) -> bool:
        """Name, school and grade right, absent ones left empty."""
        return self.truth is not None and all(self.verdicts[name] in _GOOD for name in HEADLINE)

    @property
    def passed(self) -> bool:
        """Whether it went through without review."""
        return self.prediction is not None and not self.prediction.needs_review

    @property
    def silent_wrong(self) -> bool:
        """Went through without review although a required field is not right."""
        return self.passed and not (self.three_right and bool(self.prediction and self.prediction.word_count))

    @property
    def complete_typed(self) -> bool:
        """Typed as native text, and the page holds name, school and grade."""
        return self.truth is not None and bool(self.truth["complete"] and self.truth["typed"])


@dataclass(frozen=True)
class FileScore:
    """One labelled file."""

    reading: FileReading
    kind: str
    split_right: bool
    entries: list[EntryScore] = field(default_factory=list)


def score_files(readings: Iterable[FileReading], labels: Mapping[str, Any]) -> list[FileScore]:
    """Score every file that has a label."""
    return [_score_file(reading, labels[reading.sha256]) for reading in readings if reading.sha256 in labels]


def _score_file(reading: FileReading, label: Mapping[str, Any]) -> FileScore:
    truths, predictions = label["entries"], reading.predictions
    kind = str(label["kind"])
    found = match(truths, predictions)
    entries = [
        _score_entry(kind, truth, predictions[j] if j is not None else None)
        for truth, j in zip(truths, found, strict=True)
    ]
    strays = set(range(len(predictions))) - {j for j in found if j is not None}
    entries += [_stray(kind, predictions[j]) for j in sorted(strays)]
    return FileScore(reading, kind, split_right(truths, predictions, label.get("blank_pages", ())), entries)


def _score_entry(kind: str, truth: Mapping[str, Any], prediction: Prediction | None) -> EntryScore:
    given = prediction or Prediction()
    return EntryScore(
        kind, {name: verdict(name, truth, getattr(given, name)) for name in SCORED}, truth, prediction
    )


def _stray(kind: str, prediction: Prediction) -> EntryScore:
    """An entry that does not exist: every value in it is invented."""
    verdicts = {name: Verdict.INVENTED if getattr(prediction, name) else Verdict.EMPTY for name in SCORED}
    return EntryScore(kind, verdicts, None, prediction)
