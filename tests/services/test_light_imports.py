"""What a use case loads: LangGraph and LangChain only where a graph is run or resumed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.config import ROOT

#: Use cases that run or resume a graph, and what they alone import.
RUN_A_GRAPH = (
    "services.reports.report_context",
    "services.reports.run_report",
    "services.runs.resume_run",
    "services.runs.run_context",
    "services.runs.run_directly",
    "services.runs.run_submission",
    "services.supervision.loop_context",
    "services.supervision.run_supervision",
)
#: Imports one module after the other; tells of the first that brings one of the packages along.
_WALK = """
import importlib, pkgutil, sys
import services
names = sorted(found.name for found in pkgutil.walk_packages(services.__path__, "services."))
excepted = set(sys.argv[1:])
assert excepted <= set(names), excepted - set(names)
for name in names:
    if name not in excepted:
        importlib.import_module(name)
        heavy = sorted({module.partition(".")[0] for module in sys.modules if module.startswith(("lang",))})
        heavy = [package for package in heavy if package == "langgraph" or package.startswith("langchain")]
        assert not heavy, f"{name} imports {heavy}"
"""
_LISTED = """
import importlib, sys
importlib.import_module(sys.argv[1])
assert "langgraph" in sys.modules, sys.argv[1] + " runs no graph: take it off the list"
"""
_HELP = """
import sys
from flask.cli import FlaskGroup
try:
    FlaskGroup(create_app=lambda: __import__("flask_app").create_app()).main(["users", "--help"])
except SystemExit as end:
    assert end.code == 0
heavy = sorted(name for name in sys.modules if name == "langgraph" or name.startswith("langchain"))
assert not heavy, heavy
"""


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_use_cases_do_not_load_langgraph() -> None:
    done = run(_WALK, *RUN_A_GRAPH)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["services.runs.run_directly", "services.supervision.run_supervision"])
def test_the_list_holds_only_what_runs_a_graph(name: str) -> None:
    done = run(_LISTED, name)
    assert done.returncode == 0, done.stderr


def test_a_command_that_runs_no_graph_does_not_load_it() -> None:
    done = run(_HELP)
    assert done.returncode == 0, done.stderr
    assert "users" in done.stdout
