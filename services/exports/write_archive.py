"""Entries as a ZIP file: each entry's own pages as PDF and as pictures, in folders by school and grade."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.errors import DocumentError, NotFoundError
from core.file_store import FileStore
from pipeline.mupdf.blanked import only_pages
from pipeline.recognition.page_contents import render_page
from services.exports.cells import CsvTable
from services.exports.exported import ExportedSubmission
from services.exports.paths import safe_name

INDEX = "index.csv"
#: Column of the index: the entry's PDF, empty where its pages are gone or cannot be read.
_PATH = "path"
_DPI = 150
_QUALITY = 85


def write_archive(
    path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission], store: FileStore
) -> None:
    """Write the archive with an index of all entries. An entry whose pages are gone stands in the index alone.

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
