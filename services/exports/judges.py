"""The packet of the judges: essays by grade, in random order under numbers, names left out; the key apart."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterable
from pathlib import Path

from pipeline.mupdf.packet import NumberedEssay, set_essays
from services.entries.grade_order import grade_order
from services.exports.cells import CsvTable
from services.exports.exported import ExportedSubmission
from services.exports.paths import safe_name
from services.library.essays.without_names import NAMING_FIELDS, REACHING_FIELDS, without_names

#: The folder that is handed on; the key lies beside it.
FOLDER = "for the judges"
KEY = "key - not for the judges.csv"
_KEY_COLUMNS = ("id", "student_name", "school_name", "grade", "teacher_name")
_ESSAY = "essay_text"


def write_judges_packet(
    path: Path, entries: Iterable[ExportedSubmission], order: random.Random | None = None
) -> int:
    """Write a folder with one PDF a grade and, beside it, the key; return how many essays there are.

    An entry without an essay stands in the key alone, without a number.

    `order` draws the order; by default the system's randomness.
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
