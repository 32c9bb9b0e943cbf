"""Detect the type of report that a question asks for, and the number of items."""

from __future__ import annotations

from core.labels import LabelledEnum
from research.questions.reading import read


class ReportType(LabelledEnum):
    """The two kinds of report."""

    NARRATIVE = "narrative", "Narrative"
    CATALOG = "catalog", "Catalog"


def detect_report_type(query: str, explicit: ReportType | str | None = None) -> ReportType:
    """Return CATALOG if the question seems to ask for items, else NARRATIVE.

    An explicit choice takes precedence. Raises ValueError, naming the choices, for an unknown type.
    """
    if explicit is None:
        return ReportType.CATALOG if read(query).wants_items else ReportType.NARRATIVE
    try:
        return ReportType(explicit)
    except ValueError:
        choices = ", ".join(kind.value for kind in ReportType)
        raise ValueError(f"The report type is one of {choices}; {explicit!r} is not.") from None


def target_items(query: str) -> int | None:
    """Return the number of requested items, of a range the upper end; None without a number."""
    return read(query).count
