"""The prediction for one entry, in the format of `predictions.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

Box = tuple[float, float, float, float]


_NOT_WRITTEN = ("essay_text", "missing_fields", "weak_fields", "offered", "seen")


@dataclass(frozen=True)
class Seen:
    """Confidence and evidence of one value."""

    confidence: float
    source: str | None = None
    method: str | None = None
    #: Pages (from 1, of the whole file) and boxes (0-1 of the displayed page).
    places: tuple[tuple[int, Box], ...] = ()
    #: How probable it is that a recognised value is right, and what that was estimated from.
    probability: float | None = None
    signals: Mapping[str, float] = field(default_factory=dict)
    #: What the second reader read, a `pipeline.schema.Agreement`, and how likely the recogniser finds it; None: it
    #: was not asked.
    second: str | None = None
    agreement: str | None = None
    likelihood: float | None = None


@dataclass(frozen=True)
class Offered:
    """What the review agent put beside one field."""

    #: The value of the first reading; None where nothing was read.
    as_read: str | None
    #: The value proposed, which may be the one read; None: a person fills it in.
    proposed: str | None
    #: A value of `pipeline.schema.Preferred`: what a person finds chosen.
    preferred: str

    @property
    def chosen(self) -> str | None:
        """The value that is approved or kept with one key; None where a person has to choose."""
        return {"proposed": self.proposed, "as_read": self.as_read}.get(self.preferred)


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
    #: The rest is for the report and not part of what is written to `predictions.json`.
    essay_text: str | None = None
    #: Required fields without a value, and required fields whose value needs a person.
    missing_fields: list[str] = field(default_factory=list)
    weak_fields: list[str] = field(default_factory=list)
    #: By field name.
    offered: dict[str, Offered] = field(default_factory=dict)
    #: By field name.
    seen: dict[str, Seen] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The object as it is written."""
        return {name: value for name, value in asdict(self).items() if name not in _NOT_WRITTEN}

    def proposals_as_json(self) -> dict[str, Any]:
        """What was read and proposed, by field, as it is written to `proposals.json`."""
        pages = {"page_start": self.page_start, "page_end": self.page_end}
        return {**pages, "proposals": {name: asdict(offered) for name, offered in self.offered.items()}}


@dataclass(frozen=True)
class FileReading:
    """Result of reading one file."""

    file: str
    sha256: str
    predictions: list[Prediction]
    seconds: float
    #: Why it could not be read; None if it was.
    error: str | None = None
