"""Results of researchers for tests, short to write."""

from __future__ import annotations

from research.memo import CatalogCandidate, FieldStatus, FieldValue, Finding, SourceEntry, WorkerResult

ALL_FOUND = dict.fromkeys(("problem_solved", "pricing_model", "proof_links"), FieldStatus.FOUND)


def entry(key: str, domain: str = "", *, read: bool = True) -> SourceEntry:
    return SourceEntry(
        f"https://{domain or key}.example/{key}", domain or f"{key}.example", key, read, "other", key
    )


def result(task_id: str = "r1_1", *quotes: tuple[str, str], **more: object) -> WorkerResult:
    """A result with a finding for each key and quote, and a source for each key."""
    values: dict[str, object] = {
        "findings": [Finding(key, quote, 0, len(quote)) for key, quote in quotes],
        "sources": [entry(key) for key in dict.fromkeys(key for key, _ in quotes)],
    }
    return WorkerResult(task_id, "web", "", **(values | more))  # type: ignore[arg-type]


def proven(value: str, key: str = "ortiz2019") -> FieldValue:
    return FieldValue(value, quote=f"It says: {value}.", source_key=key, verified=True)


def item(
    name: str, *, known: dict[str, list[FieldValue]] | None = None, **statuses: FieldStatus
) -> CatalogCandidate:
    """A candidate with an address, and all else found but for what is said."""
    return CatalogCandidate(
        name,
        f"https://{name.casefold()}.example",
        ALL_FOUND | statuses,
        [f"https://{name}.example/a"],
        known or {},
    )
