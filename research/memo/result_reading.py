"""Read results of researchers: dataclasses, JSON, older records with fewer fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from research.memo.memo_reading import read_candidate, read_claim, read_source
from research.memo.plain_values import given, items_of, text_of, texts_of, whole
from research.memo.worker_result import Finding, WorkerResult

__all__ = ["read_candidate", "read_results", "useful"]

_KINDS = {"web", "academic", "book"}
_STATUSES = {"done", "nothing_found", "failed"}
_BRINGS_NOTHING: Mapping[str, Any] = {
    "sources": (),
    "findings": (),
    "candidates": (),
    "claims": (),
    "topics": (),
    "notes": "",
}


def read_results(results: Iterable[object]) -> list[WorkerResult]:
    """Return the results as `WorkerResult`s; a failed one keeps no content."""
    return [_result(one) for one in items_of(results)]


def useful(results: Iterable[WorkerResult]) -> list[WorkerResult]:
    """Return the results that did not fail."""
    return [result for result in results if result.status != "failed"]


def _result(one: object) -> WorkerResult:
    said = given(one, WorkerResult)
    kind, status = text_of(said.get("kind")), text_of(said.get("status"))
    if status == "failed":
        said |= _BRINGS_NOTHING
    return WorkerResult(
        task_id=text_of(said.get("task_id")),
        kind=kind if kind in _KINDS else "web",  # type: ignore[arg-type]
        question=text_of(said.get("question")),
        queries=texts_of(said.get("queries")),
        status=status if status in _STATUSES else "done",  # type: ignore[arg-type]
        error_code=text_of(said.get("error_code")) or None,
        sources=[read_source(source) for source in items_of(said.get("sources"))],
        findings=[_finding(finding) for finding in items_of(said.get("findings"))],
        topics=texts_of(said.get("topics")),
        candidates=[read_candidate(candidate) for candidate in items_of(said.get("candidates"))],
        claims=[read_claim(claim) for claim in items_of(said.get("claims"))],
        notes=text_of(said.get("notes")),
        gap_id=text_of(said.get("gap_id")) or None,
        new_domains=texts_of(said.get("new_domains")),
    )


def _finding(one: object) -> Finding:
    said = given(one, Finding)
    score = said.get("score", 0.0)
    return Finding(
        source_key=text_of(said.get("source_key")),
        quote=text_of(said.get("quote")),
        start_char=whole(said.get("start_char")),
        end_char=whole(said.get("end_char")),
        page_no=whole(said["page_no"]) if "page_no" in said else None,
        topics=texts_of(said.get("topics")),
        score=float(score) if isinstance(score, int | float) else 0.0,
    )
