"""Merge candidates of several tasks and rounds, one per item with all values found for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from research.catalog.candidate_names import fuller_name, same_item
from research.memo.types import CatalogCandidate, FieldStatus, FieldValue
from research.questions.catalog_fields import group_of

_RANK = {FieldStatus.MISSING: 0, FieldStatus.PARTIAL: 1, FieldStatus.FOUND: 2}
#: Least number of candidates kept, if twice the target is less.
MIN_KEPT = 15


def merge_candidates(
    candidates: Iterable[CatalogCandidate], required_fields: Sequence[str]
) -> list[CatalogCandidate]:
    """Merge candidates by item, in order of first occurrence, and set the status of every required field."""
    merged: list[CatalogCandidate] = []
    for candidate in candidates:
        if not candidate.name.strip():
            continue
        place = next((n for n, known in enumerate(merged) if same_item(known.name, candidate.name)), None)
        if place is None:
            merged.append(candidate)
        else:
            merged[place] = _joined(merged[place], candidate)
    statuses = ({field: status_of(one, field) for field in required_fields} for one in merged)
    return [replace(one, fields=one.fields | told) for one, told in zip(merged, statuses, strict=True)]


def best_candidates(candidates: Sequence[CatalogCandidate], target: int) -> list[CatalogCandidate]:
    """Return the candidates with the most known fields, twice the target but at least 15, in their order."""
    known = [sum(_RANK[status] for status in one.fields.values()) for one in candidates]
    ranked = sorted(range(len(candidates)), key=lambda n: -known[n])[: max(MIN_KEPT, 2 * target)]
    return [candidates[n] for n in sorted(ranked)]


def status_of(candidate: CatalogCandidate, field: str) -> FieldStatus:
    """Return a field's status: found with a verified quotation, partial with only a value, else missing.

    Without values, the status is the one recorded on the candidate, under any equivalent name.
    """
    if field == "name":
        return FieldStatus.FOUND
    if values := values_of(candidate, field):
        return FieldStatus.FOUND if any(is_proven(value) for value in values) else FieldStatus.PARTIAL
    if field == "provider_url" and candidate.provider_url:
        return FieldStatus.FOUND
    said = [status for name, status in candidate.fields.items() if group_of(name) == group_of(field)]
    return max(said, key=_RANK.__getitem__, default=FieldStatus.MISSING)


def values_of(candidate: CatalogCandidate, field: str) -> list[FieldValue]:
    """Return the values of a field, under any equivalent name."""
    wanted = group_of(field)
    return [value for name, values in candidate.values.items() if group_of(name) == wanted for value in values]


def is_proven(value: FieldValue) -> bool:
    """Return whether the value's quotation was verified in a source."""
    return value.verified and bool(value.quote.strip()) and bool(value.source_key)


def evidence_of(candidate: CatalogCandidate, field: str) -> list[str]:
    """Return ids of a field's evidence: sources, else URLs; empty if there is none."""
    values = values_of(candidate, field)
    ids = [value.source_key for value in values if is_proven(value)]
    if not values and status_of(candidate, field) == FieldStatus.FOUND:
        ids = [candidate.provider_url or "" if field == "provider_url" else "", *candidate.evidence_urls]
    return list(dict.fromkeys(filter(None, ids)))


def _joined(known: CatalogCandidate, found: CatalogCandidate) -> CatalogCandidate:
    missing = FieldStatus.MISSING
    return replace(
        known,
        name=fuller_name(known.name, found.name),
        provider_url=known.provider_url or found.provider_url,
        fields={
            name: max(known.fields.get(name, missing), found.fields.get(name, missing), key=_RANK.__getitem__)
            for name in known.fields | found.fields
        },
        evidence_urls=list(dict.fromkeys([*known.evidence_urls, *found.evidence_urls])),
        values=known.values
        | {name: _distinct([*known.values.get(name, []), *of_one]) for name, of_one in found.values.items()},
    )


def _distinct(values: Iterable[FieldValue]) -> list[FieldValue]:
    """Return each value once, verified ones first."""
    kept: dict[tuple[str, str], FieldValue] = {}
    for value in sorted(values, key=lambda value: not is_proven(value)):
        kept.setdefault((value.source_key, " ".join(value.value.casefold().split())), value)
    return list(kept.values())
