"""The formats of exports: CSV, JSON lines, workbook, archive."""

from __future__ import annotations

import errno
import io
import json
import random
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import DocumentError, NotFoundError
from core.file_store import FileStore
from core.models.operations import ExportFormat, ExportKind
from pipeline.mupdf.assembly import NumberedEssay, only_pages, set_essays
from pipeline.recognition.page_contents import render_page
from services.entries.listing import grade_order
from services.exports.contents import CERTIFICATE_COLUMNS, CsvTable, ExportedSubmission, for_workbook, safe_name
from services.library.essays.add_essays import NAMING_FIELDS, REACHING_FIELDS, without_names


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
    """Return the entry with the name that its school has on the list, if it is on it."""
    return replace(
        entry, values={**entry.values, "school_name": entry.text("listed_school") or entry.text("school_name")}
    )


# Entries as a ZIP file: each entry's own pages as PDF and as pictures, in folders by school and grade.


INDEX = "index.csv"
#: Column of the index: the entry's PDF, empty where its pages are gone or cannot be read.
_PATH = "path"
_DPI = 150
_QUALITY = 85


def write_archive(
    path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission], store: FileStore
) -> None:
    """Write the archive with an index of all entries. An entry whose pages are gone is only in the index.

    Raises StorageError.
    """
    index = io.StringIO(newline="")
    table = CsvTable(index)
    table.write([_PATH, *columns])
    pages = _Pages(store)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for entry in entries:
            name = _name(entry)
            pdf = pages.of(entry)
            if pdf is not None:
                _add(archive, name, pdf, entry.page_end - entry.page_start + 1)
            table.write([f"{name}.pdf" if pdf else "", *map(entry.text, columns)])
        archive.writestr(INDEX, index.getvalue(), zipfile.ZIP_DEFLATED)


class _Pages:
    """Cuts pages out of files; the file that was read last is kept, since a file may hold many entries."""

    def __init__(self, store: FileStore) -> None:
        self._store = store
        self._last: tuple[str, bytes] | None = None

    def of(self, entry: ExportedSubmission) -> bytes | None:
        """Return the entry's pages as a PDF; None where they are gone or cannot be read. Raises StorageError."""
        if entry.pdf_key is None:
            return None
        try:
            return only_pages(self._file(entry.pdf_key), range(entry.page_start, entry.page_end + 1))
        except (NotFoundError, DocumentError):
            return None

    def _file(self, key: str) -> bytes:
        if self._last is None or self._last[0] != key:
            self._last = None
            self._last = (key, self._store.get(key))
        return self._last[1]


def _name(entry: ExportedSubmission) -> str:
    """Return the path within the archive, without ending; a part of the id tells children of one name apart."""
    school = safe_name(entry.text("listed_school") or entry.text("school_name"), "no school")
    grade = safe_name(entry.text("grade"), "no grade")
    student = safe_name(entry.text("student_name"), "no name")
    return f"{school}/{grade}/{student} {str(entry.id)[:8]}"


def _add(archive: zipfile.ZipFile, name: str, pdf: bytes, count: int) -> None:
    archive.writestr(f"{name}.pdf", pdf)
    for number in range(1, count + 1):
        picture = io.BytesIO()
        try:
            render_page(pdf, number, _DPI).convert("RGB").save(picture, "JPEG", quality=_QUALITY)
        except DocumentError:
            # The page is in the PDF all the same.
            continue
        archive.writestr(f"{name} {number}.jpg", picture.getvalue())


# Entries as CSV (RFC 4180): UTF-8, the first line the keys of the columns.


def write_csv(path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission]) -> None:
    """Write one line an entry. What a spreadsheet would take for a formula gets an apostrophe before it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = CsvTable(file)
        table.write(columns)
        for entry in entries:
            table.write(map(entry.text, columns))


# Entries as JSON Lines (https://jsonlines.org): one object a line, values as they are stored.


def write_json_lines(path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission]) -> None:
    """Write one object an entry; a value that is not known is null."""
    with path.open("w", encoding="utf-8") as file:
        for entry in entries:
            line = {column: entry.values.get(column) for column in columns}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


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
    # Beside the workbook: openpyxl's own file, in the shared temporary folder, outlives a killed process.
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
        # On a full disk these fail too; without this the garbage collector would try them later.
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


# The packet of the judges: essays by grade, in random order under numbers, names left out; the key apart.


#: The folder that is handed on; the key lies beside it.
FOLDER = "for the judges"
KEY = "key - not for the judges.csv"
_KEY_COLUMNS = ("id", "student_name", "school_name", "grade", "teacher_name")
_ESSAY = "essay_text"


def write_judges_packet(
    path: Path, entries: Iterable[ExportedSubmission], order: random.Random | None = None
) -> int:
    """Write a folder with one PDF a grade and, beside it, the key; return how many essays there are.

    An entry without an essay is only in the key, without a number. `order` draws the order; by default the
    system's randomness.
    """
    order = order or random.SystemRandom()
    grades: dict[str, list[ExportedSubmission]] = {}
    without: list[ExportedSubmission] = []
    for entry in entries:
        if entry.text(_ESSAY).strip():
            grades.setdefault(entry.text("grade"), []).append(entry)
        else:
            without.append(entry)
    key = io.StringIO(newline="")
    table = CsvTable(key)
    table.write(["number", *_KEY_COLUMNS])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for grade in sorted(grades, key=grade_order):
            order.shuffle(grades[grade])
            name = safe_name(grade, "none")
            numbered = [(f"{name}-{place:03}", entry) for place, entry in enumerate(grades[grade], start=1)]
            archive.writestr(f"{FOLDER}/grade {name}.pdf", set_essays([_anonymous(*one) for one in numbered]))
            for number, entry in numbered:
                table.write([number, *map(entry.text, _KEY_COLUMNS)])
        for entry in without:
            table.write(["", *map(entry.text, _KEY_COLUMNS)])
        archive.writestr(KEY, key.getvalue(), zipfile.ZIP_DEFLATED)
    return sum(map(len, grades.values()))


def _anonymous(number: str, entry: ExportedSubmission) -> NumberedEssay:
    values = {field: entry.text(field) or None for field in (*NAMING_FIELDS, *REACHING_FIELDS)}
    return NumberedEssay(number, without_names(entry.text(_ESSAY), values))
