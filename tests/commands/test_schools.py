"""`flask schools …`, as an operator types it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from commands import office as module
from core.config import ROOT, Settings
from services.context import Context
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setattr(module, "get_settings", lambda: settings)
    with tidy_context(settings) as opened:
        yield opened


def run(*arguments: str) -> Result:
    return CliRunner().invoke(module.schools, arguments)


def test_the_list_is_imported_shown_and_imported_again(context: Context) -> None:
    file = str(ROOT / "samples" / "schools.csv")
    first = run("import", file)
    assert first.exit_code == 0, first.output
    assert first.output == "88 schools added, 0 already on the list, 263 aliases added.\n"
    listed = run("list").output
    assert "Sterling Oaks Preparatory (Amberly, Amberly District 40)  [Sterling Oaks Prep; " in listed
    assert listed.endswith("88 schools, 263 aliases.\n")
    assert run("import", file).output == "0 schools added, 88 already on the list, 0 aliases added.\n"


def test_a_list_that_is_too_large_is_one_line(context: Context, tmp_path: Path) -> None:
    (tmp_path / "schools.csv").write_text("name\nJuniper\n")
    os.truncate(tmp_path / "schools.csv", 1 << 42)
    done = run("import", str(tmp_path / "schools.csv"))
    assert done.exit_code == 1 and done.output == "Error: more than 2097152 bytes\n"


def test_one_school_and_an_alias_by_hand(context: Context) -> None:
    assert run("add", "Juniper  Hill School", "--city", "Amberly").output == "Juniper Hill School: added.\n"
    assert (
        run("alias", "juniper hill school", "Juniper").output == "Juniper Hill School: also written “Juniper”.\n"
    )
    assert run("alias", "Juniper", "J.H.S.").exit_code == 0
    assert run("list").output.startswith("Juniper Hill School (Amberly)  [J.H.S.; Juniper]\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "juniper hill school"), "“juniper hill school” already means “Juniper Hill School”"),
        (("add", "Juniper"), "“Juniper” already means “Juniper Hill School”"),
        (("alias", "Foxglove", "Juniper"), "“Juniper” already means “Juniper Hill School”"),
        (("alias", "Foxglove", "Juniper Hill School"), "“Juniper Hill School” already means"),
        (
            ("alias", "Juniper Hil School", "JHS"),
            "is named “Juniper Hil School”; did you mean “Juniper Hill School”?",
        ),
        (("alias", "Quail", "Q"), "no school on the list is named “Quail”\n"),
        (("alias", "Foxglove", " "), "the school has no name"),
        (("add", "x" * 201), "at most 200 characters; this one has 201"),
        (("add", "a\x07b"), r"“a\x07b” has characters that cannot be printed"),
    ],
)
def test_what_cannot_be_done_is_one_line(context: Context, arguments: tuple[str, ...], said: str) -> None:
    run("add", "Juniper Hill School")
    run("add", "Foxglove")
    run("alias", "Juniper Hill School", "Juniper")
    result = run(*arguments)
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert said in result.output
    assert run("list").output.endswith("2 schools, 1 aliases.\n")


def test_a_file_of_another_encoding(context: Context, tmp_path: Path) -> None:
    file = tmp_path / "schools.csv"
    file.write_bytes("name\nDos Ríos\n".encode("latin-1"))
    assert "save it as “CSV UTF-8”" in run("import", str(file)).output
    file.write_bytes("name\nDos Ríos\n".encode("utf-8-sig"))
    assert run("import", str(file)).output.startswith("1 schools added")


def test_two_schools_become_one(context: Context) -> None:
    for name, city in (("Juniper Hill School", "Amberly"), ("Juniper Hil", "Tamarack"), ("Foxglove", "")):
        run("add", name, "--city", city)
    run("alias", "Juniper Hil", "J.H.")
    merged = run("merge", "j.h.", "Juniper Hill School")
    assert merged.output == "Juniper Hil: merged into Juniper Hill School, 2 aliases added.\n"
    assert run("list").output == (
        "Foxglove\nJuniper Hill School (Amberly)  [J.H.; Juniper Hil]\n2 schools, 2 aliases.\n"
    )
    again = run("merge", "Juniper Hil", "Juniper Hill School")
    assert "“Juniper Hil” and “Juniper Hill School” are already one school" in again.output
    assert "no school on the list is named “Quail”" in run("merge", "Foxglove", "Quail").output
    assert run("list").output.endswith("2 schools, 2 aliases.\n")
