"""Entries as a workbook of Excel, written row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from services.exports.cells import for_workbook
from services.exports.exported import ExportedSubmission


def write_workbook(path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission]) -> None:
    """Write one row an entry below a row of keys that stays in sight. Every value is text: grades and telephone
    numbers keep their form, and no text is a formula.
    """
    # Imported here: every worker loads this module, and few ever write a workbook.
    from openpyxl import Workbook
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    sheet = book.create_sheet("entries")
    sheet.freeze_panes = "A2"
    titles = [_cell(sheet, column) for column in columns]
    for title in titles:
        title.font = Font(bold=True)
    sheet.append(titles)
    for entry in entries:
        sheet.append([_cell(sheet, entry.text(column)) for column in columns])
    book.save(path)


def _cell(sheet: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell

    # Set as text: `openpyxl` takes what begins with "=" for a formula, and what looks like an error for one.
    cell = WriteOnlyCell(sheet, value="")
    cell.value = for_workbook(text) or None
    if text:
        cell.data_type = "s"
    return cell
