"""Number references identically in every export."""

from __future__ import annotations

from research.citations import numbers_of
from research.document import Reference, ReportDocument


def numbering(document: ReportDocument) -> dict[str, int]:
    """Return numbers by key, in order of first appearance, omitting keys without a reference."""
    known = {reference.key for reference in document.references}
    numbers = numbers_of(document)
    cited = sorted((number, key) for key, number in numbers.items() if key in known)
    return {key: place for place, (_, key) in enumerate(cited, start=1)}


def listed(document: ReportDocument) -> list[tuple[int, Reference]]:
    """Return the cited references with their numbers, in order."""
    numbers = numbering(document)
    by_key = {reference.key: reference for reference in document.references}
    return [(number, by_key[key]) for key, number in numbers.items()]
