"""What a step's `trace_json` tells: what decided, and nothing of the entry."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from sqlalchemy import select

from core.database import Database
from core.models import OrchestratorLog
from core.models.leases import RUN_LEASES
from pipeline.orchestrator.context import MemoryRecorder
from pipeline.orchestrator.run import run_entry, run_in_memory
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import create_orchestrator_graph
from pipeline.schema import SubmissionRecord
from pipeline.validation.policy import Policy
from tests.support.reading.orchestration import ENTRIES, context, first_state, insert_run, no_grade


def traces_of(record: SubmissionRecord, folder: Path, **more: Any) -> list[dict[str, Any]]:
    recorder = MemoryRecorder()
    run_in_memory(first_state(), context(record, folder, recorder, **more))
    return [step.trace for step in recorder.steps.values()]


def words_of(value: Any) -> list[str]:
    """Every text of a JSON value, keys included."""
    if isinstance(value, dict):
        return [word for key, inner in value.items() for word in (key, *words_of(inner))]
    if isinstance(value, list):
        return [word for inner in value for word in words_of(inner)]
    return [value] if isinstance(value, str) else []


def values_of(record: SubmissionRecord) -> list[str]:
    """What was read of an entry, whole and word by word."""
    whole = [reading.value for reading in record.readings.values() if reading.value]
    return [*whole, *(word for value in whole for word in value.split())]


def test_the_edge_and_the_numbers_that_chose_it(tmp_path: Path) -> None:
    policy = Policy(complete_confidence=0.97)
    first, second, *_ = traces_of(no_grade(), tmp_path, policy=policy)
    assert (first["route"], second["route"]) == ("review", "escalate")
    assert first["values"]["missing_fields"] == ["grade"]
    assert first["values"]["readings"]["student_name"] == {"confidence": 1.0, "source": "text_layer"}
    assert first["thresholds"]["complete_confidence"] == 0.97
    assert (first["model_configured"], first["model_calls"], first["retries"]) == (False, [], 0)


def test_an_entry_that_completes_ends_on_no_edge(tmp_path: Path) -> None:
    assert [trace["route"] for trace in traces_of(ENTRIES["complete"](), tmp_path)] == ["complete", None]


@pytest.mark.parametrize("kind", ENTRIES)
def test_no_value_of_an_entry_is_in_any_trace(kind: str, tmp_path: Path) -> None:
    record = ENTRIES[kind]()
    policy = Policy(known_schools={"Larkspur Elementary": ["Larkspur"]})
    traces = traces_of(record, tmp_path, policy=policy)
    told = words_of(traces)
    parts = {part for word in told for part in (word, *re.split(r"[\W_]+", word))}
    assert parts and parts.isdisjoint(values_of(record))


def test_it_is_stored_with_the_step(database_url: str, tmp_path: Path) -> None:
    database = Database(database_url)
    run_id = insert_run(database)
    given = context(no_grade(), tmp_path, DatabaseRecorder(database, RUN_LEASES.held_by(run_id, "worker-1")))
    run_entry(create_orchestrator_graph(InMemorySaver()), first_state(run_id), given, run_id)
    rows = database.scalars(select(OrchestratorLog.trace_json).where(OrchestratorLog.run_id == run_id))
    database.dispose()
    assert rows and all(row and json.dumps(row["values"]) for row in rows)
