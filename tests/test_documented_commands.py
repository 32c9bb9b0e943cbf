"""Every command of the README and the docs can be given as it is written there."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest
from dotenv import dotenv_values
from flask.cli import run_command, shell_command

from core.config import Settings
from flask_app import create_app
from tests.support.code import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_COMMAND = re.compile(r"(?:^|[`\s]|--\s)(?:\.venv/bin/)?flask ((?:--app \S+ )?[a-z][^`\n]*)")
_MAKE = re.compile(r"`make ([a-z-]+)`")
_SCRIPT = re.compile(r"(?<![\w/])(?:(?:lab|scripts)/[\w/]+\.(?:py|sh))")


def documented(page: str) -> list[list[str]]:
    """Return the words of each `flask` command in code, comments and what follows it in the shell left out."""
    code = re.findall(r"`+[^`]*flask [^`]*`+", page)
    found = []
    for block in code:
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            for told in _COMMAND.findall(line):
                words = shlex.split(re.split(r"\s[#&|>]|[;…]", told.strip("` "))[0])
                found.append(words)
    return found


def problem(root: click.Group, words: list[str]) -> str | None:
    """Return what is wrong with a command: a word that is no command of its group, or an unknown option."""
    command: click.Command = root
    options: set[str] = {"--help"}
    for word in words:
        if word.startswith("--"):
            if word.partition("=")[0] not in options:
                return f"no option {word} in {' '.join(words)}"
        elif isinstance(command, click.Group):
            found = command.get_command(click.Context(command), word)
            if found is None:
                return f"no command {word} in {' '.join(words)}"
            command = found
            options |= {name for parameter in command.params for name in parameter.opts}
    return None


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> click.Group:
    app = create_app(Settings(var_dir=tmp_path_factory.mktemp("var"), _env_file=None))
    root = app.cli
    root.add_command(run_command)
    root.add_command(shell_command)
    return root


def test_every_command_is_one(commands: click.Group) -> None:
    found = [words for page in PAGES for words in documented(page.read_text(encoding="utf-8"))]
    assert len(found) > 40
    assert [told for words in found if (told := problem(commands, words))] == []


def test_a_wrong_command_is_found(commands: click.Group) -> None:
    wrong = "`flask users invite-all`, `flask backup --encrypted PLACE`, `.venv/bin/flask db-upgrade`"
    assert [problem(commands, words) for words in documented(wrong)] == [
        "no command invite-all in users invite-all",
        "no option --encrypted in backup --encrypted PLACE",
        None,
    ]


def test_no_command_needs_the_name_of_the_app() -> None:
    """`flask …` is enough in the folder of the product."""
    assert dotenv_values(ROOT / ".flaskenv") == {"FLASK_APP": "flask_app"}
    told = subprocess.run(
        [ROOT / ".venv/bin/flask", "users", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "create-admin" in told


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_scripts_and_targets_are_there(page: Path) -> None:
    text, targets = page.read_text(encoding="utf-8"), (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [name for name in _MAKE.findall(text) if f"\n{name}:" not in targets] == []
    assert [name for name in _SCRIPT.findall(text) if not (ROOT / name).is_file()] == []
