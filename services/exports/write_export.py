"""Write the file of an export."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from core.file_store import FileStore
from core.models.export import ExportFormat, ExportKind
from services.exports.columns import CERTIFICATE_COLUMNS
from services.exports.exported import ExportedSubmission
from services.exports.judges import write_judges_packet
from services.exports.write_archive import write_archive
from services.exports.write_csv import write_csv
from services.exports.write_json_lines import write_json_lines
from services.exports.write_workbook import write_workbook


def write_export(
    path: Path,
    kind: ExportKind,
    file_format: ExportFormat,
    columns: Sequence[str],
    entries: Iterable[ExportedSubmission],
    store: FileStore,
) -> None:
    """Write the file of this kind and format. Raises StorageError, DocumentError, OSError."""
    if kind is ExportKind.JUDGES:
        write_judges_packet(path, entries)
    elif kind is ExportKind.CERTIFICATES:
        write_csv(path, CERTIFICATE_COLUMNS, map(_of_certificate, entries))
    elif file_format is ExportFormat.CSV:
        write_csv(path, columns, entries)
    elif file_format is ExportFormat.XLSX:
        write_workbook(path, columns, entries)
    elif file_format is ExportFormat.JSON_LINES:
        write_json_lines(path, columns, entries)
    else:
        write_archive(path, columns, entries, store)


def _of_certificate(entry: ExportedSubmission) -> ExportedSubmission:
    """Return the entry with the name that its school has on the list, where it is on it."""
    return replace(
        entry, values={**entry.values, "school_name": entry.text("listed_school") or entry.text("school_name")}
    )
