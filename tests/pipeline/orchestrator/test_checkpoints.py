"""Checkpoints in PostgreSQL: another process goes on from them, and they hold no secret."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row
from pydantic import SecretStr

from core.config import Settings
from core.database import Database
from core.graphs import open_saver
from core.models.leases import RUN_LEASES
from pipeline.orchestrator.run import resume_entry, run_entry
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import create_orchestrator_graph
from tests.support.reading.orchestration import (
    ENTRIES,
    ESSAY,
    REACTION,
    FakeModel,
    context,
    first_state,
    insert_run,
)
from tests.support.reading.orchestration_process import Work, in_a_process, work

TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


def rows(dsn: str, run_id: str) -> str:
    """All that the checkpoint tables hold of a run, as one text."""
    query = sql.SQL("select t::text as row, {blob} from langgraph.{table} t where thread_id = %s")
    found = []
    with psycopg.connect(dsn, row_factory=dict_row) as connection:
        for table in TABLES:
            blob = sql.SQL("null as blob" if table == "checkpoints" else "blob")
            made = query.format(blob=blob, table=sql.Identifier(table))
            for row in connection.execute(made, [run_id]).fetchall():
                found.append(row["row"] + (row["blob"] or b"").decode(errors="replace"))
    return "\n".join(found)


@pytest.mark.parametrize("kind", ENTRIES)
def test_no_essay_and_no_key_is_in_any_checkpoint(
    kind: str, database: Database, database_url: str, tmp_path: Path
) -> None:
    run_id = insert_run(database)
    given = context(
        ENTRIES[kind](),
        tmp_path,
        DatabaseRecorder(database, RUN_LEASES.held_by(run_id, "worker-1")),
        settings=Settings(_env_file=None, groq_api_key=SecretStr("gsk-sentinel")),
        model=FakeModel({"grade": "4"}),
    )
    run_entry(create_orchestrator_graph(open_saver(database)), first_state(run_id), given, run_id)
    held = rows(database_url, run_id)
    assert run_id in held
    assert kind == "blank" or "Marisol Vega" in held
    for secret in (ESSAY[:30], ESSAY[-30:], "whistle", REACTION[:20], "gsk-sentinel", "worker-1"):
        assert secret not in held


def test_the_words_of_an_error_are_in_no_checkpoint(database: Database, database_url: str, tmp_path: Path) -> None:
    run_id = insert_run(database)

    def broken(*_: object, **__: object) -> tuple[Any, Any]:
        raise ValueError(ESSAY)

    given = context(ENTRIES["complete"](), tmp_path, read=broken)
    with pytest.raises(ValueError, match="whistle"):
        run_entry(create_orchestrator_graph(open_saver(database)), first_state(run_id), given, run_id)
    held = rows(database_url, run_id)
    assert "ValueError" in held
    assert "whistle" not in held


def test_objects_are_not_refused_by_the_serializer_and_come_out_as_what_they_hold(database: Database) -> None:
    """Why every node's delta is checked: a secret would stand in the row in clear."""
    serde = open_saver(database).serde
    for value, comes_out in ((ENTRIES["complete"](), dict), (SecretStr("gsk-sentinel"), str)):
        kind, stored = serde.dumps_typed({"value": value})
        assert kind == "msgpack"
        assert type(serde.loads_typed((kind, stored))["value"]) is comes_out
    assert b"gsk-sentinel" in stored


def test_a_first_state_with_an_object_is_refused(database_url: str, database: Database, tmp_path: Path) -> None:
    run_id = insert_run(database)
    graph = create_orchestrator_graph(open_saver(database))
    state: Any = {**first_state(run_id), "chunk_metadata": {"token": SecretStr("gsk-sentinel")}}
    with pytest.raises(TypeError, match="chunk_metadata"):
        run_entry(graph, state, context(ENTRIES["complete"](), tmp_path), run_id)
    assert rows(database_url, run_id) == ""


def test_another_process_resumes_what_waits(database: Database, database_url: str, tmp_path: Path) -> None:
    task = Work(database_url, insert_run(database), "no_grade", tmp_path)
    code, waiting = in_a_process(task)
    assert code == 0
    assert waiting is not None
    assert waiting.interrupt is not None
    code, resumed = in_a_process(replace(task, decision={"action": "reject"}, owner="worker-2"))
    assert code == 0
    assert resumed is not None
    assert (resumed.outcome, resumed.interrupt) == ("rejected", None)


def test_a_pruned_run_has_no_row_left_and_is_not_resumed(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    task = Work(database_url, insert_run(database), "no_grade", tmp_path)
    assert work(task) is not None
    saver = open_saver(database)
    assert rows(database_url, task.run_id)
    saver.delete_thread(task.run_id)
    assert rows(database_url, task.run_id) == ""
    given = context(ENTRIES["no_grade"](), tmp_path)
    assert resume_entry(create_orchestrator_graph(saver), {"action": "settle"}, given, task.run_id) is None
