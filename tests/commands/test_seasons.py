"""`flask seasons …`, as an operator types it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result

from commands import office as module
from core.config import Settings
from services.context import Context
from tests.support import factories
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setattr(module, "get_settings", lambda: settings)
    with tidy_context(settings) as opened:
        with opened.database.session() as session:
            factories.make_season(session).name = "Autumn 2026"
        yield opened


def run(*arguments: str) -> Result:
    return CliRunner().invoke(module.seasons, arguments)


def test_rules_are_tried_set_and_listed(context: Context) -> None:
    tried = run("set", "complete_confidence=0.93", "--dry-run")
    assert tried.exit_code == 0 and "Of 0 entries, 0 would change" in tried.output
    assert "complete_confidence" not in run("list").output
    changed = run("set", "complete_confidence=0.93", "required.SINGLE_SCANNED=student_name, grade")
    assert "without review: None -> 0.93" in changed.output, changed.output
    listed = run("list").output
    assert "Autumn 2026  [open, current]" in listed
    assert "required = {'SINGLE_SCANNED': ['student_name', 'grade']}" in listed
    assert run("set", "complete_confidence=", "--season", "Autumn 2026").exit_code == 0
    assert "complete_confidence" not in run("list").output


def test_closed_followed_and_opened_again(context: Context) -> None:
    assert run("close").output == "Closed.\n"
    assert run("roll-over", "Autumn 2027").exit_code == 0
    assert run("list").output.splitlines()[0].startswith("Autumn 2027  [open, current]")
    assert run("open", "Autumn 2026").exit_code == 0
    assert [line.split("  ")[1] for line in run("list").output.splitlines()] == ["[open, current]", "[closed]"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("set", "complete_confidence=7"), "This value is not allowed"),
        (("set", "speed=7"), "There is no such rule: speed"),
        (("set", "speed"), "write RULE=VALUE"),
        (("open", "Spring"), "There is no season with this name."),
        (("open", "Autumn 2026"), "This season is already open."),
        (("roll-over", "Autumn 2026"), "There is already a season with this name."),
    ],
)
def test_what_is_refused(context: Context, arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.exit_code != 0 and said in done.output
