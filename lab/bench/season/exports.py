"""Files of 10,000 entries: how fast a workbook is written, and the most memory that each kind of file takes."""

from __future__ import annotations

import sys
import tempfile
import time
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from openpyxl import load_workbook
from sqlalchemy import select

from core.confined.mupdf import pymupdf
from core.models import ExportFormat, ExportKind, Season
from lab.bench.measure import Measure, at_most, exactly, measured
from lab.bench.office import Office, offices
from lab.bench.tree_memory import peak_of_tree
from lab.simulation.plan import Plan
from lab.simulation.simulate import simulate
from lab.simulation.write import write
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.exports.contents import ChosenSubmissions, known_columns, read_submissions
from services.exports.formats import write_export

ENTRIES = 10_000
_PEAK_MB = 512
#: Characters of an essay; the contest allows 3,000.
_ESSAY = "My father taught me to listen before I speak. " * 60
_PDF_KEY = "originals/bench"
#: Fields that the simulated season has no values for.
_FILL = """
insert into public.submission_fields (submission_id, season_id, name, value, source)
  select id, season_id, 'essay_text', %(essay)s, 'text_layer' from public.submissions on conflict do nothing;
"""


def measure(entries: int = ENTRIES) -> list[Measure]:
    """Write one workbook and one archive of all entries; read both back."""
    with _office(entries) as (office, season_id), tempfile.TemporaryDirectory(prefix="bench-office-") as folder:
        context = office.context
        ids = list(ChosenSubmissions(context, None, season_id, SubmissionFilter()))
        wanted = (ExportFormat.XLSX, ExportFormat.ZIP)
        seconds, peaks = {}, {}
        for file_format in wanted:
            print(f"writing {len(ids)} entries as {file_format.value} …", file=sys.stderr)
            path = Path(folder) / file_format.value
            begun = time.perf_counter()
            with peak_of_tree() as peak:
                rows = read_submissions(context, ids)
                write_export(path, ExportKind.ENTRIES, file_format, known_columns(), rows, context.store)
            seconds[file_format], peaks[file_format] = time.perf_counter() - begun, peak.mb
        missing = _missing_in_workbook(context, Path(folder) / "xlsx", ids) + _missing_in_archive(
            Path(folder) / "zip", len(ids)
        )
    of = f"{len(ids)} simulated entries with an essay of {len(_ESSAY)} characters and a page each"
    return [
        measured("export_xlsx_rows_per_s", len(ids) / seconds[ExportFormat.XLSX], "rows/s", None, of),
        measured("export_zip_entries_per_s", len(ids) / seconds[ExportFormat.ZIP], "entries/s", None, of),
        measured(
            "export_peak_mb",
            max(peaks.values()),
            "MB",
            at_most(_PEAK_MB),
            "the most that this process and its parsing child took together while a workbook "
            f"({peaks[ExportFormat.XLSX]:.0f}) and an archive with PDFs and pictures "
            f"({peaks[ExportFormat.ZIP]:.0f}) were written; {of}",
        ),
        measured("export_entries_missing", missing, "entries", exactly(0), "both files read back"),
    ]


@contextmanager
def _office(entries: int) -> Iterator[tuple[Office, uuid.UUID]]:
    with offices("office", 1) as (office,):
        with psycopg.connect(office.url) as connection:
            write(connection, simulate(Plan(seed=7, entries=entries)))
            connection.execute(_FILL, {"essay": _ESSAY})
            # Each entry is its file's first page.
            connection.execute("update public.uploads set pdf_key = %s", [_PDF_KEY])
            connection.execute("update public.submissions set page_start = 1, page_end = 1")
        office.context.store.put(_PDF_KEY, _page())
        season_id = office.context.database.one(select(Season.id).where(Season.is_current))
        yield office, season_id


def _page() -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_textbox(pymupdf.Rect(60, 60, 550, 740), _ESSAY, fontsize=11)
        return bytes(document.tobytes())


def _missing_in_workbook(context: Context, path: Path, ids: list[uuid.UUID]) -> int:
    with path.open("rb") as file:
        sheet = load_workbook(file, read_only=True).active
        assert sheet is not None
        rows = sheet.iter_rows(values_only=True)
        titles = list(next(rows))
        found = {row[0]: row for row in rows}
    place = titles.index("student_name")
    names = {str(one.id): one.text("student_name") for one in read_submissions(context, ids)}
    return sum(key not in found or (found[key][place] or "") != name for key, name in names.items())


def _missing_in_archive(path: Path, number: int) -> int:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    pages = min(sum(name.endswith(ending) for name in names) for ending in (".pdf", ".jpg"))
    return number - pages
