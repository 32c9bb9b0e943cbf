"""Assign citation keys to the sources of a focused research; works of the report keep their keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import TypeAdapter
from sqlalchemy import delete, update

from core.models import ReportSource, ReportTask
from research.citations import CitationRegistry
from research.document import Reference
from research.memo.worker_result import WorkerResult
from research.storage.sources import is_provisional, place_of
from research.supervision.storage.desk import SupervisionDesk

_RESULT = TypeAdapter(WorkerResult)


def give_keys(desk: SupervisionDesk, task_id: str, references: Sequence[Reference]) -> None:
    """Assign keys to the sources of a finished task; does nothing if they have keys already."""
    rows = [row for row in desk.sources.all() if row.status == "read"]
    new = sorted(
        (row for row in rows if row.task_id == task_id and is_provisional(row.key)),
        key=lambda row: place_of(row.key),
    )
    stored = {row.key: row.reference for row in rows if not is_provisional(row.key)}
    cited = {reference.key: reference for reference in references if reference.key not in stored}
    registry = CitationRegistry([*stored.values(), *cited.values()])
    final: dict[str, str] = {}
    duplicates: list[str] = []
    known = set(stored)
    for row in new:
        final[row.key] = key = registry.add(row.reference)
        if key in known:
            duplicates.append(row.key)
        known.add(key)
    if final:
        _write(desk, task_id, final, duplicates)


def _write(desk: SupervisionDesk, task_id: str, final: Mapping[str, str], duplicates: Sequence[str]) -> None:
    result = desk.rounds.task(task_id).result
    with desk.held.writing() as session:
        mine = ReportSource.report_id == desk.held.report_id
        session.execute(delete(ReportSource).where(mine, ReportSource.key.in_(duplicates)))
        for provisional, key in final.items():
            session.execute(update(ReportSource).where(mine, ReportSource.key == provisional).values(key=key))
        if result is not None:
            sources = [replace(entry, key=final.get(entry.key, entry.key)) for entry in result.sources]
            renamed = _RESULT.dump_python(replace(result, sources=sources), mode="json")
            session.execute(
                update(ReportTask)
                .where(ReportTask.report_id == desk.held.report_id, ReportTask.task_id == task_id)
                .values(result=renamed)
            )
