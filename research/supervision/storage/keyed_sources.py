"""Assign citation keys to the sources of a focused research; works of the report keep their keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import TypeAdapter
from sqlalchemy import delete, update

from core.models import ReportSource, ReportTask
from research.citations import CitationRegistry, verify_quote
from research.document import Reference
from research.memo.worker_result import Finding, WorkerResult
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
    if not new:
        return
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
    _write(desk, task_id, final, duplicates)


def _write(desk: SupervisionDesk, task_id: str, final: Mapping[str, str], duplicates: Sequence[str]) -> None:
    result = desk.rounds.task(task_id).result
    kept = {final[row.key]: row for row in desk.sources.all() if row.key in final and row.key not in duplicates}
    kept |= {row.key: row for row in desk.sources.all() if row.key in final.values()}
    texts = {key: desk.sources.text(row).text for key, row in kept.items()}
    with desk.held.writing() as session:
        mine = ReportSource.report_id == desk.held.report_id
        session.execute(delete(ReportSource).where(mine, ReportSource.key.in_(duplicates)))
        for provisional, key in final.items():
            session.execute(update(ReportSource).where(mine, ReportSource.key == provisional).values(key=key))
        if result is not None:
            session.execute(
                update(ReportTask)
                .where(ReportTask.report_id == desk.held.report_id, ReportTask.task_id == task_id)
                .values(result=_RESULT.dump_python(_renamed(result, final, texts), mode="json"))
            )


def _renamed(result: WorkerResult, final: Mapping[str, str], texts: Mapping[str, str]) -> WorkerResult:
    findings = [found for one in result.findings if (found := _moved(one, final, texts)) is not None]
    sources = [replace(entry, key=final.get(entry.key, entry.key)) for entry in result.sources]
    return replace(result, findings=findings, sources=sources)


def _moved(finding: Finding, final: Mapping[str, str], texts: Mapping[str, str]) -> Finding | None:
    """Return the finding under its citation key, or None if the copy of the source that was kept lacks it."""
    key = final.get(finding.source_key)
    if key is None:
        return finding
    text = texts[key]
    if text[finding.start_char : finding.end_char] == finding.quote:
        return replace(finding, source_key=key)
    verdict = verify_quote(finding.quote, key, {key: text})
    if verdict.status != "verified" or verdict.start is None or verdict.end is None:
        return None
    return replace(
        finding,
        source_key=key,
        quote=text[verdict.start : verdict.end],
        start_char=verdict.start,
        end_char=verdict.end,
    )
