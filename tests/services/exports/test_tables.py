"""Tables are read back by other libraries and compared with the database."""

from __future__ import annotations

import csv
import io
import json
import re
import uuid
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from sqlalchemy import select, update

from core.config import ROOT
from core.models import ExportKind, SecurityEvent, Submission, SubmissionField
from pipeline.supabase_db import settle_spellings
from services.accounts.person import Person
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.exports import contents
from services.exports.contents import (
    LONGEST,
    ChosenSubmissions,
    CsvTable,
    SubmissionColumn,
    for_workbook,
    harmless,
    known_columns,
)
from services.exports.making import file_of, make_export, ready_export
from services.exports.request import ExportRequest, remembered_columns, request_export
from services.forms.check_form import RESERVED
from services.seasons import current_season
from tests.services.exports.conftest import NAMES
from tests.support.review import desk


def made(context: Context, reader: Person, file_format: str, **asked: object) -> Path:
    export_id = request_export(context, reader, ExportRequest(ExportKind.ENTRIES, file_format, **asked))  # type: ignore[arg-type]
    assert make_export(context, export_id)
    found = file_of(context, ready_export(context, reader, export_id))
    assert isinstance(found, Path)
    return found


def stored(context: Context) -> dict[str, dict[str, str | None]]:
    """{entry: {field: value}}, read from the rows."""
    found: dict[str, dict[str, str | None]] = {}
    with context.database.session() as session:
        for row in session.scalars(select(SubmissionField)):
            found.setdefault(str(row.submission_id), {})[row.name] = row.value
    return found


def bare(cell: str) -> str:
    """A cell without the apostrophe that keeps it from being a formula."""
    return cell[1:] if cell.startswith("'") and cell[1:2] in "=+-@" else cell


def same(rows: list[dict[str, str]], context: Context) -> None:
    values = stored(context)
    assert {row["id"] for row in rows} == set(values)
    for row in rows:
        for name, value in values[row["id"]].items():
            assert bare(row[name]) == (value or "")


def test_csv(context: Context, reader: Person, entries: list[desk.Entry]) -> None:
    path = made(context, reader, "csv")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True)))
    assert tuple(rows[0]) == known_columns()
    same(rows, context)
    assert {row["student_name"] for row in rows} == {*NAMES} - {"=SUM(A1:A9)"} | {"'=SUM(A1:A9)"}


def test_a_workbook(context: Context, reader: Person, entries: list[desk.Entry]) -> None:
    path = made(context, reader, "xlsx")
    with path.open("rb") as file:
        sheet = load_workbook(file).active
    assert sheet is not None
    titles = [str(cell.value) for cell in sheet[1]]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}
    rows = [
        {title: "" if cell.value is None else str(cell.value) for title, cell in zip(titles, row, strict=True)}
        for row in sheet.iter_rows(min_row=2)
    ]
    assert all(isinstance(cell.value, str | None) for row in sheet.iter_rows() for cell in row)
    same(rows, context)


def test_json_lines(context: Context, reader: Person, entries: list[desk.Entry]) -> None:
    lines = made(context, reader, "jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    values = stored(context)
    assert {row["id"]: row["student_name"] for row in rows} == {
        key: row["student_name"] for key, row in values.items()
    }
    assert all(row["needs_review"] is False and row["reasons"] == [] for row in rows)


def test_by_school_grade_and_name(context: Context, reader: Person, entries: list[desk.Entry]) -> None:
    path = made(context, reader, "csv", columns=("school_name", "grade"))
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["school_name", "grade"]
    assert rows[1:] == sorted(rows[1:])
    assert remembered_columns(context, reader) == ["school_name", "grade"]


@pytest.mark.parametrize("at_a_time", [2, 100])
def test_chosen_as_of_one_moment_whatever_changes_meanwhile(
    context: Context, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    monkeypatch.setattr(contents, "AT_A_TIME", at_a_time)
    juniper = [("JUNIPER SCHOOL", "2"), ("Juniper School", "1"), ("Juniper School", "3")]
    given = [("", "2"), ("", ""), *juniper, ("Rio", "1")]
    with context.database.session() as session:
        made = [
            desk.make_entry(context, session, school_name=school or None, grade=grade or None)
            for school, grade in given
        ]
        season_id = current_season(session).id
        settle_spellings(session, season_id)
    ids = [one.submission.id for one in made]
    chosen = ChosenSubmissions(context, None, season_id, SubmissionFilter())
    found = iter(chosen)
    first = [next(found), next(found)]
    assert (chosen.number, chosen.is_whole) == ((2, False) if at_a_time == 2 else (6, True))
    with context.database.session() as session:
        # One that comes last would now come first, and one that came first would come again.
        session.execute(update(Submission).where(Submission.id == ids[5]).values(school_name="Ash"))
        session.execute(update(Submission).where(Submission.id == first[0]).values(school_name="Zinnia"))
    assert [*first, *found] == [ids[place] for place in (0, 1, 3, 2, 4, 5)]
    assert (chosen.number, chosen.is_whole) == (6, True)


def test_of_a_filter_with_an_event(context: Context, reader: Person, entries: list[desk.Entry]) -> None:
    wanted = SubmissionFilter(school="Juniper Elementary School", text="ana")
    with context.database.session() as session:
        before = set(session.scalars(select(SecurityEvent.id)))
        season = current_season(session).name
    made(context, reader, "csv", wanted=wanted)
    events = [row for row in context.database.scalars(select(SecurityEvent)) if row.id not in before]
    assert [(row.kind, row.actor_id, row.details) for row in events] == [
        (
            "exported",
            reader.id,
            {
                "what": "entries.csv",
                "rows": 1,
                "season": season,
                # The words stay out of it: they may be a child's name.
                "filters": ["school=Juniper Elementary School", "text"],
            },
        )
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("=1+1", "+1 555 0101", "-1", "@here", " =1", "\t=1", "\t1", "\r\n1", "＝1", "＋1", "－1", "＠x", "﹦1"),
        *("\u202e=1", "\u200f\u2066=1", "\ufeff=1", "\x00=1", "\u3000=1", "\u3164=1", "\ufe0f=1", '"=1"', ' " =1'),
    ],
)
def test_what_begins_like_a_formula_is_text(text: str) -> None:
    assert harmless(text).startswith(f"'{text[0]}") and for_workbook(text).startswith("'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana;=1+1", "Ana;'=1+1"),
        ("x =1+1;@SUM(1)", "x =1+1;'@SUM(1)"),
        ("a,+1|-1\t＝1", "a,'+1|'-1\t'＝1"),
        ("a\n=1\r\n@b", "a\n'=1\r\n'@b"),
        ("a\u2028=1\x85=1", "a\u2028'=1\x85'=1"),
        ('a;"=1"', 'a;\'"=1"'),
        ("a; \u200f =1", "a;' \u200f =1"),
        (";;=1", ";;'=1"),
    ],
)
def test_what_begins_like_a_formula_after_a_separator(text: str, expected: str) -> None:
    assert harmless(text) == expected
    assert for_workbook(text) == text


@pytest.mark.parametrize(
    "text",
    ["", "Ana", "5", "a=1", "(555) 555-0101", "'=1", "2 + 2 = 4", "Ruiz, Ana; 4", "ana@example.org", "محمد"],
)
def test_other_texts_stay(text: str) -> None:
    assert harmless(text) == text


BEGINNINGS = ("=", "+", "-", "@", "＝", "＠")
#: How programs for spreadsheets split a row, by the place where they run or by what the person chose.
SPLIT_AT = (",", ";", "\t", "|")
#: Texts of what begins a formula, ends a cell, or is dropped before a cell is looked at.
HOSTILE = st.text(st.sampled_from("=+-@＝＠;,|\t\r\n\" '\u200f\u202ea1"), max_size=12)


@given(rows=st.lists(st.lists(HOSTILE | st.integers(min_value=0), min_size=1, max_size=4), min_size=1, max_size=4))
def test_no_program_finds_a_formula(rows: list[list[str | int]]) -> None:
    file = io.StringIO(newline="")
    table = CsvTable(file)
    for row in rows:
        table.write(row)
    for separator in SPLIT_AT:
        read = csv.reader(io.StringIO(file.getvalue(), newline=""), delimiter=separator)
        texts = [cell.lstrip(' "\u200f\u202e\t\r\n') for row in read for cell in row]
        assert not any(text.startswith(BEGINNINGS) for text in texts), texts


def test_texts_are_in_quotes_and_numbers_are_not() -> None:
    file = io.StringIO(newline="")
    CsvTable(file).write(["Ana", "5", "", None, 5, -2.5])
    assert file.getvalue() == '"Ana","5","","",5,-2.5\r\n'


def test_nothing_else_writes_tables() -> None:
    """What opens in a spreadsheet goes through `services.exports.contents`."""
    found = []
    for folder in ("core", "pipeline", "research", "services", "jobs", "web", "commands"):
        for path in (ROOT / folder).rglob("*.py"):
            if re.search(r"\bcsv\.(writer|DictWriter)\b|\bWorkbook\(", path.read_text()):
                found.append(path.relative_to(ROOT).as_posix())
    assert sorted(found) == ["services/exports/contents.py", "services/exports/formats.py"]


def test_what_no_workbook_can_hold() -> None:
    assert for_workbook("a\x00b\x0bc\ufffe") == "a\ufffdb\ufffdc\ufffd"
    assert len(for_workbook("x" * 40_000)) == LONGEST


def test_a_filter_as_json() -> None:
    wanted = SubmissionFilter(status="completed", batch_id=uuid.uuid4(), needs_review=False, text="ana")
    assert SubmissionFilter.from_json(json.loads(json.dumps(wanted.to_json()))) == wanted
    assert SubmissionFilter().to_json() == {}


def test_no_field_of_a_form_is_called_as_a_column() -> None:
    assert {column.value for column in SubmissionColumn} <= RESERVED
