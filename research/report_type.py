"""What kind of report a question asks for, and of how many items."""

from __future__ import annotations

from core.labels import LabelledEnum
from research.request.counted import requested_count
from research.request.listed import wants_items


class ReportType(LabelledEnum):
    """The two kinds of report."""

    NARRATIVE = "narrative", "Narrative"
    CATALOG = "catalog", "Catalog"


def detect_report_type(query: str, explicit: ReportType | str | None = None) -> ReportType:
    """A catalog where a number of things, a table or the same details of each are asked for.

    What a person chose goes first. Raises ValueError, naming the choices, for a kind that there is not.
    """
    if explicit is not None:
        return _chosen(explicit)
    if target_items(query) is not None or wants_items(query):
        return ReportType.CATALOG
    return ReportType.NARRATIVE


def target_items(query: str) -> int | None:
    """How many items are asked for; of a range the upper end; None where nothing is counted."""
    return requested_count(query)


def _chosen(explicit: ReportType | str) -> ReportType:
    try:
        return ReportType(explicit)
    except ValueError:
        choices = ", ".join(kind.value for kind in ReportType)
        raise ValueError(f"The report type is one of {choices}; {explicit!r} is not.") from None
