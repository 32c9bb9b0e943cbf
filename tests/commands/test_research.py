"""`flask research ask` on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from commands.research import research
from core.config import Settings
from core.models import Profile, Report
from services.context import Context
from tests.support.office import make_person
from tests.support.research.research_library import put_papers
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setattr("commands.research.get_settings", lambda: settings)
    with tidy_context(settings) as opened:
        put_papers(opened.database)
        yield opened


def officer(context: Context) -> str:
    person = make_person(context, "officer")
    return context.database.get_one(Profile, person).email


def test_without_a_worker_the_report_is_made_here(context: Context) -> None:
    asked = ["ask", "What do programmes for fathers cost?", "--as", officer(context), "--tier", "quick", "--wait"]
    done = CliRunner().invoke(research, asked)
    assert done.exit_code == 0, done.output
    assert "# What do programmes for fathers cost?" in done.stdout
    assert "## References" in done.stdout
    assert "complete: 0 model calls" in done.stderr


def test_without_waiting_the_id_is_told(context: Context) -> None:
    done = CliRunner().invoke(research, ["ask", "What do programmes for fathers cost?", "--as", officer(context)])
    report = context.database.one(select(Report))
    assert done.stdout == f"Report {report.id}\n"
    assert report.status == "queued"


def test_fields_are_taken_in_their_order(context: Context) -> None:
    fields = ["pricing evidence", "Target customer", "AI usage", "replicable stack", "evergreen reason"]
    options = [part for field in fields for part in ("--field", field)]
    asked = ["ask", "Identify 5 newsletter businesses", "--as", officer(context), *options]
    assert CliRunner().invoke(research, asked).exit_code == 0
    found = context.database.one(select(Report.fields))
    assert [one.casefold() for one in found] == [one.casefold() for one in fields]


@pytest.mark.parametrize(("option", "wanted"), [([], True), (["--no-supervise"], False)])
def test_deepening_can_be_switched_off(context: Context, option: list[str], wanted: bool) -> None:
    asked = ["ask", "What do programmes cost?", "--as", officer(context), "--tier", "comprehensive", *option]
    assert CliRunner().invoke(research, asked).exit_code == 0
    assert context.database.one(select(Report.supervise)) is wanted


@pytest.mark.parametrize(("question", "person"), [(" ", None), ("Why?", "nobody@example.org")])
def test_what_is_wrong_is_one_line(context: Context, question: str, person: str | None) -> None:
    done = CliRunner().invoke(research, ["ask", question, "--as", person or officer(context)])
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
