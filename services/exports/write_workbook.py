"""Entries as a workbook of Excel, written row by row."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from services.exports.cells import for_workbook
from services.exports.exported import ExportedSubmission


def write_workbook(path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission]) -> None:
    """Write one row an entry below a row of keys that stays in sight. Every value is text: grades and telephone
    numbers keep their form, and no text is a formula. Raises OSError.
    """
    # Imported here: every worker loads this module, and few ever write a workbook.
    from lxml.etree import SerialisationError
    from openpyxl import Workbook
    from openpyxl.styles import Font
    from openpyxl.worksheet import _writer

    book = Workbook(write_only=True)
    sheet: Any = book.create_sheet("entries")
    sheet.freeze_panes = "A2"
    # Beside the workbook: openpyxl's own file, in the folder of all programs, outlives a process that is ended.
    sheet._writer = _writer.WorksheetWriter(sheet, out=str(path.with_name(f"{path.name}.rows")))
    _writer.ALL_TEMP_FILES.append(sheet._writer.out)
    sheet._writer.write_top()
    titles = [_cell(sheet, column) for column in columns]
    for title in titles:
        title.font = Font(bold=True)
    try:
        sheet.append(titles)
        for entry in entries:
            sheet.append([_cell(sheet, entry.text(column)) for column in columns])
        book.save(path)
    except BaseException as error:
        # On a full disk nothing that was begun can be ended; else it would be tried once nobody hears of it.
        for end in (sheet.close, sheet._writer.close):
            with suppress(Exception):
                end()
        if isinstance(error, SerialisationError):
            raise OSError(errno.EIO, str(error)) from error
        raise


def _cell(sheet: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell

    # Set as text: `openpyxl` takes what begins with "=" for a formula, and what looks like an error for one.
    cell = WriteOnlyCell(sheet, value="")
    cell.value = for_workbook(text) or None
    if text:
        cell.data_type = "s"
    return cell
