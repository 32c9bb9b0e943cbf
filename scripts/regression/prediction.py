"""What the reading of one entry predicts, as it stands in `predictions.json`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Prediction:
    """One entry as read. Pages count from 1, both ends included; absent values are None."""

    student_name: str | None = None
    school_name: str | None = None
    #: "K" or "1"…"12".
    grade: str | None = None
    teacher_name: str | None = None
    city_or_location: str | None = None
    father_figure_name: str | None = None
    phone: str | None = None
    email: str | None = None
    writing_about: str | None = None
    word_count: int | None = None
    needs_review: bool = True
    outcome: str | None = None
    review_reason_codes: list[str] = field(default_factory=list)
    doc_class: str | None = None
    page_start: int = 1
    page_end: int = 1

    def as_json(self) -> dict[str, Any]:
        """The object as it is written."""
        return asdict(self)


@dataclass(frozen=True)
class FileReading:
    """What became of one file."""

    file: str
    sha256: str
    predictions: list[Prediction]
    seconds: float
    #: Why it could not be read; None if it was.
    error: str | None = None
