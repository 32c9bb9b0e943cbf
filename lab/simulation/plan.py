"""What a season to be drawn is like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

#: Key of the profile: (share of the entries, share of them whose text needs no recognition).
FORMS: Mapping[str, tuple[float, float]] = {
    "ifi_2026": (0.5, 0.45),
    "ifi_2025": (0.25, 0.35),
    "ifi_2023": (0.15, 0.2),
    "freeform": (0.1, 0.5),
}
#: Key of the language, "" for unknown: share of the entries.
LANGUAGES: Mapping[str, float] = {"en": 0.65, "es": 0.3, "": 0.05}
PROVIDERS: Mapping[str, float] = {"rapidocr": 0.85, "tesseract": 0.15}
#: Fields that are drawn; the first three are required.
FIELDS = ("student_name", "school_name", "grade", "teacher_name", "phone")
REQUIRED = FIELDS[:3]


@dataclass(frozen=True)
class Worse:
    """From some week on, entries of a form, a school or a provider are wrong more often."""

    week: int
    times: float
    #: None: of every form, school or provider.
    form: str | None = None
    school: int | None = None
    provider: str | None = None


@dataclass(frozen=True)
class Plan:
    """Everything that a season is drawn from: the same plan gives the same season."""

    seed: int = 1
    entries: int = 2_000
    #: Expected share of right ones among the entries that pass unseen, before anything becomes worse.
    precision: float = 0.985
    #: The threshold in force.
    threshold: float = 0.9
    weak: float = 0.8
    #: Share of the entries that passed unseen which is audited.
    audit_share: float = 0.05
    #: Share of what waits for a person that has been decided.
    decided: float = 0.9
    #: Share of the drawn audits that have been made.
    audited: float = 1.0
    #: Whether a language model is asked for what is missing.
    model: bool = True
    schools: int = 40
    weeks: int = 12
    begins: datetime = datetime(2026, 1, 5, tzinfo=UTC)
    worse: tuple[Worse, ...] = field(default_factory=tuple)
