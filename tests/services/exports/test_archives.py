"""ZIP files: each entry's own pages, and the packet of the judges."""

from __future__ import annotations

import csv
import io
import random
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import delete, update

from core.confined.mupdf import pymupdf
from core.models import ExportKind, SubmissionField
from services.accounts.person import Person
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.exports.contents import ChosenSubmissions, read_submissions, safe_name
from services.exports.formats import FOLDER, KEY, write_judges_packet
from services.exports.making import file_of, make_export, ready_export
from services.exports.request import ExportRequest, request_export
from services.seasons import current_season
from tests.support.review import desk


def table(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(archive.read(name).decode())))


def made(context: Context, reader: Person, kind: ExportKind) -> zipfile.ZipFile:
    export_id = request_export(context, reader, ExportRequest(kind, "zip"))
    make_export(context, export_id)
    path = file_of(context, ready_export(context, reader, export_id))
    assert isinstance(path, Path)
    return zipfile.ZipFile(path)


def test_own_pages_by_school_and_grade(context: Context, reader: Person, entries: list[desk.Entry]) -> None:
    with context.database.session() as session:
        stack = desk.make_entry(context, session, status="completed", student_name="Last / One", grade=None)
        context.store.put(stack.upload.storage_key, desk.entry_pdf(3))
        stack.submission.page_start, stack.submission.page_end = 2, 3
        session.merge(stack.submission)
    with made(context, reader, ExportKind.ENTRIES) as archive:
        index = {row["id"]: row for row in table(archive, "index.csv")}
        assert len(index) == len(entries) + 1
        for row in index.values():
            school = safe_name(row["school_name"], "")
            assert row["path"].startswith(f"{school}/{row['grade'] or 'no grade'}/")
        row = index[str(stack.submission.id)]
        assert row["path"].split("/")[2] == f"Last One {str(stack.submission.id)[:8]}.pdf"
        with pymupdf.open("pdf", archive.read(row["path"])) as document:
            assert document.page_count == 2
        for number in (1, 2):
            picture = Image.open(io.BytesIO(archive.read(row["path"].replace(".pdf", f" {number}.jpg"))))
            assert picture.format == "JPEG" and picture.width > 1000


def test_an_entry_whose_pages_are_gone_stands_in_the_index(
    context: Context, reader: Person, entries: list[desk.Entry]
) -> None:
    context.store.delete(entries[0].upload.storage_key)
    with made(context, reader, ExportKind.ENTRIES) as archive:
        paths = {row["id"]: row["path"] for row in table(archive, "index.csv")}
        assert paths.pop(str(entries[0].submission.id)) == ""
        assert all(path in archive.namelist() for path in paths.values())


@pytest.fixture
def same_grade(context: Context) -> list[desk.Entry]:
    found = []
    for name in ("Ana Ruiz", "Theo Okafor", "Luz Ibarra", "Noor Haddad"):
        with context.database.session() as session:
            entry = desk.make_entry(context, session, status="completed", student_name=name, grade="4")
            session.execute(
                update(SubmissionField)
                .where(SubmissionField.submission_id == entry.submission.id, SubmissionField.name == "essay_text")
                .values(value=f"I am {name}. My father says: {name.split()[0]}, be kind.")
            )
            found.append(entry)
    return found


def test_the_packet_of_the_judges(context: Context, same_grade: list[desk.Entry], tmp_path: Path) -> None:
    with context.database.session() as session:
        ids = ChosenSubmissions(context, None, current_season(session).id, SubmissionFilter())
    orders = set()
    for seed in range(6):
        path = tmp_path / f"{seed}.zip"
        assert write_judges_packet(path, read_submissions(context, ids), random.Random(seed)) == 4
        with zipfile.ZipFile(path) as archive:
            key = table(archive, KEY)
            with pymupdf.open("pdf", archive.read(f"{FOLDER}/grade 4.pdf")) as document:
                text = "".join(page.get_text() for page in document)
        assert sorted(row["number"] for row in key) == ["4-001", "4-002", "4-003", "4-004"]
        assert all(row["number"] in text for row in key)
        assert not any(part in text for row in key for part in row["student_name"].split())
        orders.add(tuple(row["student_name"] for row in sorted(key, key=lambda row: row["number"])))
    assert len(orders) > 1


@pytest.mark.parametrize(
    ("kind", "wanted", "found"),
    [
        (ExportKind.ENTRIES, SubmissionFilter(), {"completed", "resolved", "escalated", "rejected"}),
        (ExportKind.ENTRIES, SubmissionFilter(status="superseded"), {"superseded"}),
        (ExportKind.JUDGES, SubmissionFilter(), {"completed", "resolved"}),
        (ExportKind.CERTIFICATES, SubmissionFilter(status="escalated"), set()),
    ],
)
def test_which_entries(context: Context, kind: ExportKind, wanted: SubmissionFilter, found: set[str]) -> None:
    with context.database.session() as session:
        for status in ("completed", "resolved", "escalated", "rejected", "superseded"):
            desk.make_entry(context, session, status=status)
    with context.database.session() as session:
        ids = ChosenSubmissions(context, None, current_season(session).id, wanted, kind)
    assert {entry.text("status") for entry in read_submissions(context, ids)} == found


def test_an_entry_without_essay_has_no_number(context: Context, reader: Person) -> None:
    with context.database.session() as session:
        desk.make_entry(context, session, status="completed", grade="K")
        blank = desk.make_entry(context, session, status="completed", grade="K", student_name="Ivo Marsh")
    context.database.execute(
        delete(SubmissionField).where(
            SubmissionField.submission_id == blank.submission.id, SubmissionField.name == "essay_text"
        )
    )
    with made(context, reader, ExportKind.JUDGES) as archive:
        key = table(archive, KEY)
        assert archive.namelist() == [f"{FOLDER}/grade K.pdf", KEY]
    assert [row["number"] for row in key] == ["K-001", ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana Ruiz", "Ana Ruiz"),
        ("../../etc/passwd", "etc passwd"),
        ("a\\b:c*d?", "a b c d"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        (" .hidden. ", "hidden"),
        ("\u202eevil", "evil"),
        ("李小龍", "李小龍"),
        ("...", "none"),
        ("", "none"),
    ],
)
def test_names_of_files(text: str, expected: str) -> None:
    assert safe_name(text, "none") == expected


def test_a_long_name_is_cut_within_no_character() -> None:
    assert len(safe_name("李" * 200, "none").encode()) <= 100
