"""Candidates of several tasks and rounds as one list: a row an item, with all that was found for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from research.candidate_names import fuller_name, same_item
from research.catalog_fields import group_of
from research.memo_types import CatalogCandidate, FieldStatus, FieldValue

_RANK = {FieldStatus.MISSING: 0, FieldStatus.PARTIAL: 1, FieldStatus.FOUND: 2}
#: Candidates followed, if twice the target is less.
MIN_KEPT = 15


def merge_candidates(
    candidates: Iterable[CatalogCandidate], required_fields: Sequence[str]
) -> list[CatalogCandidate]:
    """One candidate an item, in the order in which they were first met, the status of every required field set."""
    merged: list[CatalogCandidate] = []
    for candidate in candidates:
        if not candidate.name.strip():
            continue
        place = next((n for n, known in enumerate(merged) if same_item(known.name, candidate.name)), None)
        if place is None:
            merged.append(candidate)
        else:
            merged[place] = _joined(merged[place], candidate)
    return [_with_status(candidate, required_fields) for candidate in merged]


def best_candidates(candidates: Sequence[CatalogCandidate], target: int) -> list[CatalogCandidate]:
    """Twice as many as are wanted in the end, at least fifteen: the best known ones, in their order."""
    kept = max(MIN_KEPT, 2 * target)
    ranked = sorted(range(len(candidates)), key=lambda n: (-_known(candidates[n]), n))[:kept]
    return [candidates[n] for n in sorted(ranked)]


def status_of(candidate: CatalogCandidate, field: str) -> FieldStatus:
    """How well a field is known: found with a verified quotation, partial with a value alone.

    A field without values is what the candidate says of it, under any name that asks for the same.
    """
    if field == "name":
        return FieldStatus.FOUND
    if values := values_of(candidate, field):
        return FieldStatus.FOUND if any(is_proven(value) for value in values) else FieldStatus.PARTIAL
    if field == "provider_url" and candidate.provider_url:
        return FieldStatus.FOUND
    said = [FieldStatus(status) for name, status in candidate.fields.items() if group_of(name) == group_of(field)]
    return max(said, key=_RANK.__getitem__, default=FieldStatus.MISSING)


def values_of(candidate: CatalogCandidate, field: str) -> list[FieldValue]:
    """What was found for a field, under any name that asks for the same."""
    wanted = group_of(field)
    return [value for name, values in candidate.values.items() if group_of(name) == wanted for value in values]


def is_proven(value: FieldValue) -> bool:
    """Whether a quotation of it was found in a source."""
    return value.verified and bool(value.quote.strip()) and bool(value.source_key or value.url)


def evidence_of(candidate: CatalogCandidate, field: str) -> list[str]:
    """Ids of what proves a field: claims, else sources, else addresses; empty where nothing does."""
    proven = [value for value in values_of(candidate, field) if is_proven(value)]
    ids = [value.claim_id or value.source_key or value.url for value in proven]
    if not ids and not values_of(candidate, field) and status_of(candidate, field) == FieldStatus.FOUND:
        named = [candidate.provider_url] if field == "provider_url" and candidate.provider_url else []
        ids = [*named, *candidate.evidence_urls]
    return list(dict.fromkeys(one for one in ids if one))


def _joined(known: CatalogCandidate, found: CatalogCandidate) -> CatalogCandidate:
    fields = dict(known.fields)
    for name, status in found.fields.items():
        fields[name] = max(fields.get(name, FieldStatus.MISSING), FieldStatus(status), key=_rank)
    values = {name: list(of_one) for name, of_one in known.values.items()}
    for name, of_one in found.values.items():
        values[name] = _distinct([*values.get(name, []), *of_one])
    return replace(
        known,
        name=fuller_name(known.name, found.name),
        provider_url=known.provider_url or found.provider_url,
        fields=fields,
        evidence_urls=list(dict.fromkeys([*known.evidence_urls, *found.evidence_urls])),
        values=values,
    )


def _distinct(values: Iterable[FieldValue]) -> list[FieldValue]:
    """Verified ones first, each once."""
    kept: dict[tuple[str, str], FieldValue] = {}
    for value in sorted(values, key=lambda value: not is_proven(value)):
        kept.setdefault((value.source_key or value.url, " ".join(value.value.casefold().split())), value)
    return list(kept.values())


def _with_status(candidate: CatalogCandidate, required_fields: Sequence[str]) -> CatalogCandidate:
    fields = dict(candidate.fields)
    for field in required_fields:
        fields[field] = status_of(candidate, field)
    return replace(candidate, fields=fields)


def _known(candidate: CatalogCandidate) -> int:
    return sum(_rank(status) for status in candidate.fields.values())


def _rank(status: FieldStatus) -> int:
    return _RANK[FieldStatus(status)]
