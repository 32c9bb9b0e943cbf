"""Entries as CSV (RFC 4180): UTF-8, the first line the keys of the columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from services.exports.cells import CsvTable
from services.exports.exported import ExportedSubmission


def write_csv(path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission]) -> None:
    """Write one line an entry. What a spreadsheet would take for a formula gets an apostrophe before it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = CsvTable(file)
        table.write(columns)
        for entry in entries:
            table.write(map(entry.text, columns))
