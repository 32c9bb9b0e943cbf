"""Entries as CSV (RFC 4180): UTF-8, the first line the keys of the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from services.exports.cells import harmless
from services.exports.exported import ExportedSubmission


def write_csv(path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission]) -> None:
    """Write one line an entry. What a spreadsheet would take for a formula gets an apostrophe before it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for entry in entries:
            writer.writerow([harmless(entry.text(column)) for column in columns])
