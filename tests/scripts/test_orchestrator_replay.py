"""`scripts/orchestrator_replay.py`, as an operator types it."""

from __future__ import annotations

import json

import pytest

from core.config import Settings
from scripts.orchestrator_replay import main
from services.context import Context
from tests.support.past_run import make_past_run
from tests.support.reading.orchestration import entry, read


@pytest.fixture
def run_id(context: Context) -> str:
    with context.database.session() as session:
        return make_past_run(context, session, entry(student_name=read("Marisol Vega", 0.95))).run_id


def test_the_same_and_another_way(
    context: Context, settings: Settings, run_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([run_id], settings) == 0
    assert "The result would have been the same." in capsys.readouterr().out
    assert main([run_id, "--set", "COMPLETE_CONFIDENCE=0.99", "MAX_STEPS=3"], settings) == 0
    said = capsys.readouterr().out
    assert "! outcome: completed -> suggested" in said and "0.9 -> 0.99" in said and "Marisol" not in said
    assert main([run_id, "--from", "save_complete", "--json"], settings) == 0
    told = capsys.readouterr().out
    assert json.loads(told[told.index("{") :])["outcome_after"] == "completed"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "COMPLETE_CONFIDENCE"], "write RULE=VALUE"),
        (["--set", "COMPLETE_CONFIDENCE=9"], "This value is not allowed"),
        (["--from", "review_agent"], "This run has no step review_agent"),
    ],
)
def test_what_is_refused(
    context: Context,
    settings: Settings,
    run_id: str,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    assert main([run_id, *arguments], settings) == 2
    assert said in capsys.readouterr().err
