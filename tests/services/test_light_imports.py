"""What is loaded when: LangGraph to run a graph, a recogniser to recognise, pages to answer, a reader to read."""

from __future__ import annotations

import subprocess
import sys

from core.config import ROOT

#: Use cases that run or resume a graph, and what they alone import.
RUN_A_GRAPH = ("services.replays.replay", "services.reports.run", "services.runs.run", "services.supervision.run")
#: Imports one use case after the other, then runs a command; tells of the first that brings the packages along.
#: One process for all: each takes seconds to start.
_WALK = """
import importlib, pkgutil, sys
from flask.cli import FlaskGroup
import services

def check(what):
    heavy = [name for name in sys.modules if name in ("langgraph", "rapidocr", "openvino")]
    heavy += sorted(name for name in sys.modules if name.startswith("langchain"))
    assert not heavy, f"{what} imports {heavy[:3]}"

names = {found.name for found in pkgutil.walk_packages(services.__path__, "services.")}
excepted = set(sys.argv[1:])
assert excepted <= names, excepted - names
for name in sorted(names - excepted):
    importlib.import_module(name)
    check(name)

def create_app():
    from flask_app import create_app
    return create_app()

try:
    FlaskGroup(create_app=create_app).main(["users", "--help"])
except SystemExit as end:
    assert end.code == 0
check("flask users --help")
"""

#: Starts something, then tells which of the packages it has loaded.
_START = """
import sys
try:
    {start}
except SystemExit as end:
    assert end.code == 0
print(*(name for name in {packages} if name in sys.modules))
"""
#: Packages that take long to load, and that no start needs.
_HEAVY = ("langchain_core", "langgraph", "langsmith", "openvino", "rapidocr", "requests", "trafilatura", "zxcvbn")
_COMMAND = "from flask.cli import main; sys.argv = ['flask', '--app', 'flask_app', '{}', '--help']; main()"


def _loaded(start: str, *packages: str) -> str:
    program = _START.format(start=start, packages=packages)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def test_a_web_server_starts_without_what_few_requests_need() -> None:
    assert _loaded("import flask_app, commands.serving, web.site", "web", *_HEAVY) == "web"


def test_a_worker_is_started_without_pages_and_other_commands() -> None:
    assert _loaded(_COMMAND.format("worker"), "commands.workforce", "commands.data", "web", *_HEAVY) == (
        "commands.workforce"
    )


def test_use_cases_and_commands_load_neither_langgraph_nor_a_recogniser() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WALK, *RUN_A_GRAPH], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "users" in done.stdout
