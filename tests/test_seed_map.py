"""Every name of the source plans is where `docs/seed_map.md` says, or was dropped by a decision."""

from __future__ import annotations

from collections import Counter

import pytest

from core.config import Settings
from flask_app import create_app
from tests.support.code import ROOT
from tests.support.seed_map import Row, fault, rows

PAGE = (ROOT / "docs" / "seed_map.md").read_text(encoding="utf-8")
ROWS = rows(PAGE)


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """Addresses of the site; making the app opens no database."""
    app = create_app(Settings(var_dir=tmp_path_factory.mktemp("var"), _env_file=None))
    return frozenset(rule.rule for rule in app.url_map.iter_rules())


def test_every_name_is_where_the_page_says(routes: frozenset[str]) -> None:
    assert [told for row in ROWS if (told := fault(row, routes))] == []


def test_every_line_of_a_table_was_read() -> None:
    tables = PAGE[PAGE.index("\n## ") :].splitlines()
    assert len(ROWS) == sum(
        line.startswith("| ") and not line.startswith(("| name |", "| --- |")) for line in tables
    )
    assert len(ROWS) > 300 and len({row.seed for row in ROWS}) == 5


def test_no_name_has_two_places() -> None:
    assert [name for name, times in Counter(row[:2] for row in ROWS).items() if times > 1] == []


@pytest.mark.parametrize(
    ("kind", "here", "note"),
    [
        ("module", "pipeline/orchestrator.py", ""),
        ("function", "pipeline/orchestrator_graph.py:create_graph", "Renamed."),
        ("function", "pipeline/orchestrator_state.py:AgentState", "Renamed."),
        ("function", "pipeline/validation/certainty.py:record_confidence", ""),
        ("class", "pipeline/orchestrator_state.py:State", "Renamed."),
        ("constant", "research/readers/model/prompts.py:SYSTEM", "Renamed."),
        ("key", "pipeline/orchestrator_state.py:AgentState.access_token", ""),
        ("key", "pipeline/orchestrator_state.py:AgentState", ""),
        ("node", "pipeline/orchestrator_graph.py:complete", ""),
        ("node", "research/supervision/graph.py:expand", ""),
        ("table", "orchestrator_log", ""),
        ("column", "orchestrator_logs.reasons", ""),
        ("route", "/review/suggestion", ""),
        ("setting", "ORCHESTRATOR", ""),
        ("package", "langchain", ""),
        ("dropped", "", "Nobody wants it."),
        ("dropped", "", "ADR 999."),
        ("dropped", "", "ADR 1; replaced by `nothing_of_the_kind`."),
        ("module", "flask_app.py", "ADR 999."),
        ("widget", "flask_app.py", ""),
    ],
)
def test_a_wrong_row_fails(kind: str, here: str, note: str, routes: frozenset[str]) -> None:
    assert fault(Row("A plan", "A_NAME_OF_A_PLAN", kind, here, note), routes)
