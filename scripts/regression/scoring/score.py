"""Compare the readings of all files with their labels: one verdict per field of each entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.schema import Preferred
from scripts.regression.prediction import FileReading, Prediction
from scripts.regression.scoring.compare import SCORED, Verdict, verdict
from scripts.regression.scoring.evidence import overlap
from scripts.regression.scoring.match import match, split_right
from scripts.regression.scoring.writing import Writing, writing_of

HEADLINE = ("student_name", "school_name", "grade")
GOOD = (Verdict.RIGHT, Verdict.EMPTY)
_BAD = (Verdict.WRONG, Verdict.INVENTED)


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
        return self.truth is not None and all(self.verdicts[name] in GOOD for name in HEADLINE)

    @property
    def as_found(self) -> bool:
        """Whether a reviewer finds name, school and grade right: the values read, or those marked first."""
        return self.truth is not None and all(self._found(name) in GOOD for name in HEADLINE)

    def _found(self, name: str) -> Verdict:
        """Return the verdict on the value that is marked first; missed where a person has to choose."""
        assert self.truth is not None
        offered = self.prediction.offered.get(name) if self.prediction else None
        if offered is None:
            return self.verdicts[name]
        if offered.preferred == Preferred.NEITHER and offered.proposed:
            return Verdict.MISSED
        return verdict(name, self.truth, offered.chosen)

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

    @property
    def writing(self) -> Writing | None:
        """How it was put on paper; None for an entry that no label knows."""
        return writing_of(self.kind, self.truth) if self.truth is not None else None

    @property
    def bad_values(self) -> int:
        """How many values are wrong or invented."""
        return sum(verdict in _BAD for verdict in self.verdicts.values())

    def overlap(self, name: str) -> float | None:
        """How well the evidence of a value covers its true box, 0-1; None where no box is known."""
        if self.truth is None:
            return None
        return overlap(name, self.truth, self.prediction.seen.get(name) if self.prediction else None)


@dataclass(frozen=True)
class FileScore:
    """One labelled file."""

    reading: FileReading
    kind: str
    split_right: bool
    entries: list[EntryScore] = field(default_factory=list)
    #: "development" or "held_out" where the label says so.
    part: str | None = None


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
    right = split_right(truths, predictions, label.get("blank_pages", ()))
    return FileScore(reading, kind, right, entries, label.get("part"))


def _score_entry(kind: str, truth: Mapping[str, Any], prediction: Prediction | None) -> EntryScore:
    given = prediction or Prediction()
    return EntryScore(
        kind, {name: verdict(name, truth, getattr(given, name)) for name in SCORED}, truth, prediction
    )


def _stray(kind: str, prediction: Prediction) -> EntryScore:
    """An entry that does not exist: every value in it is invented."""
    verdicts = {name: Verdict.INVENTED if getattr(prediction, name) else Verdict.EMPTY for name in SCORED}
    return EntryScore(kind, verdicts, None, prediction)
