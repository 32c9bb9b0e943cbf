"""What kind of report a question asks for, and of how many items."""

from __future__ import annotations

from enum import StrEnum


class ReportType(StrEnum):
    """The two kinds of report."""

    NARRATIVE = "narrative"
    CATALOG = "catalog"
