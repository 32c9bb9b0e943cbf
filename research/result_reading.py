"""Results of researchers as they come: dataclasses, JSON, older ones with fewer fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from research.memo_types import CatalogCandidate, Claim, FieldStatus, FieldValue, SourceEntry
from research.worker_result import Finding, WorkerResult


def read_results(results: Iterable[object]) -> list[WorkerResult]:
    """The results as `WorkerResult`s; what a failed one carries is left out, for it brings nothing."""
    return [_result(one) for one in results]


def useful(results: Iterable[WorkerResult]) -> list[WorkerResult]:
    """Those that did not fail."""
    return [result for result in results if result.status != "failed"]


def _result(one: object) -> WorkerResult:
    values = _values(one, WorkerResult)
    values = {"task_id": "", "kind": "web", "question": ""} | values
    if values.get("status") == "failed":
        values |= {"sources": [], "findings": [], "candidates": [], "claims": [], "topics": [], "notes": ""}
    return WorkerResult(
        **values
        | {
            "sources": [_source(source) for source in values.get("sources", ())],
            "findings": [_finding(finding) for finding in values.get("findings", ())],
            "candidates": [read_candidate(candidate) for candidate in values.get("candidates", ())],
            "claims": [_claim(claim) for claim in values.get("claims", ())],
        }
    )


def read_candidate(one: object) -> CatalogCandidate:
    """A candidate, whatever it is written as."""
    values = {"name": ""} | _values(one, CatalogCandidate)
    values["fields"] = {
        name: FieldStatus(getattr(status, "value", status)) for name, status in values.get("fields", {}).items()
    }
    values["values"] = {
        name: [FieldValue(**({"value": ""} | _values(value, FieldValue))) for value in found]
        for name, found in values.get("values", {}).items()
    }
    return CatalogCandidate(**values)


def _source(one: object) -> SourceEntry:
    empty: dict[str, Any] = {"url": "", "domain": "", "title": "", "has_evidence": True, "relevance": "other"}
    return SourceEntry(**(empty | _values(one, SourceEntry)))


def _finding(one: object) -> Finding:
    empty: dict[str, Any] = {"source_key": "", "quote": "", "start_char": 0, "end_char": 0}
    return Finding(**(empty | _values(one, Finding)))


def _claim(one: object) -> Claim:
    empty = {"claim_text": "", "source_url": "", "confidence": "medium", "verification_query": ""}
    return Claim(**(empty | _values(one, Claim)))


def _values(one: object, kind: type) -> dict[str, Any]:
    """Fields of `kind` that are there and say something."""
    found = {}
    for field in fields(kind):
        value = one.get(field.name) if isinstance(one, Mapping) else getattr(one, field.name, None)
        if value is not None:
            found[field.name] = value
    return found
