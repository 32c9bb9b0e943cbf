"""Files that take their worker with them, or that are read for too long, are seen and counted."""

from __future__ import annotations

import pytest

from lab.fuzz.ledger import measures, outcomes, wrong
from lab.fuzz.overseer import CRASHED, HUNG, Bounds, Result, read_all
from lab.fuzz.reading import READ, UNTYPED, Outcome
from lab.fuzz.worker import Job

BOUNDS = Bounds(memory_mb=2048, bomb_seconds=20.0, mutation_seconds=120.0)


@pytest.mark.slow
def test_a_crash_and_a_hang_are_seen() -> None:
    no_such_bomb = Job(bomb="none")
    heavy = Job(bomb="pdf_drawing.nested_forms")
    bounds = Bounds(memory_mb=2048, bomb_seconds=4.0, mutation_seconds=4.0, grace=-1.0)
    found = {result.job: result for result in read_all([no_such_bomb, heavy], bounds, lambda _: None)}
    assert found[no_such_bomb].outcome.code == CRASHED
    assert found[heavy].outcome.code == HUNG
    assert found[heavy].megabytes > 10


def result(code: str, megabytes: float = 300, detail: str = "", job: Job | None = None) -> Result:
    return Result(job or Job(bomb="a.b"), Outcome(code, 1.0, detail), megabytes)


def test_the_ledger_counts_what_ended_wrongly() -> None:
    results = [
        result(READ),
        result(CRASHED),
        result(HUNG),
        result(UNTYPED, detail="Traceback"),
        result("too_costly", megabytes=2049),
        result("damaged_document", detail="the parser failed: KeyError", job=Job(seed=1, number=5)),
    ]
    found = {measure.measure: measure for measure in measures(results, BOUNDS, seed=1)}
    assert (found["files_tried"].value, found["bombs_tried"].value) == (1, 5)
    names = ("worker_crashes", "hangs", "over_memory", "untyped", "contained_failures")
    assert [found[name].value for name in names] == [1] * 5
    assert [found[name].holds for name in names] == [False] * 4 + [True]
    assert len(wrong(results, BOUNDS)) == 5
    assert ["`read`", 1, 0] in outcomes(results)["rows"]
