"""Kinds of exports: their formats and content types."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import InvalidInputError
from core.models.export import ExportFormat, ExportKind
from services.messages.export import ExportRefused

#: The formats of each kind; the first is the one that is offered.
FORMATS: Mapping[ExportKind, tuple[ExportFormat, ...]] = {
    ExportKind.ENTRIES: (ExportFormat.XLSX, ExportFormat.CSV, ExportFormat.JSON_LINES, ExportFormat.ZIP),
    ExportKind.JUDGES: (ExportFormat.ZIP,),
    ExportKind.CERTIFICATES: (ExportFormat.CSV,),
}
CONTENT_TYPES: Mapping[ExportFormat, str] = {
    ExportFormat.CSV: "text/csv",
    ExportFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ExportFormat.JSON_LINES: "application/x-ndjson",
    ExportFormat.ZIP: "application/zip",
}


def checked_format(kind: ExportKind, format_key: str) -> ExportFormat:
    """Return the format of this key. Raises InvalidInputError if the kind has none of it."""
    if format_key not in FORMATS[kind]:
        choices = [one.value for one in FORMATS[kind]]
        raise InvalidInputError(ExportRefused.FORMAT_UNKNOWN, export_kind=kind.value, choices=choices)
    return ExportFormat(format_key)
