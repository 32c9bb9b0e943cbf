"""What a report costs with a model, and what the model finds on strangers' pages, played from cassettes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lab.bench.measure import Measure, at_least, at_most, exactly, measured
from lab.bench.research.catalogs.scoring import score
from lab.bench.research.catalogs.tasks import Kind
from lab.cassettes.played import WANTED, Consumption, PlayedPages, played_pages, standard_reports

_KINDS: tuple[Kind, ...] = ("seen", "aside", "fresh")


def measure() -> list[Measure]:
    """Three reports and every page; what a work measures is left out while replies of it are missing."""
    reports = standard_reports()
    pages = {kind: played_pages(kind) for kind in _KINDS}
    missing = {name: one.missed for name, one in reports.items()}
    missing |= {f"pages_{kind}": one.missed for kind, one in pages.items()}
    missed = [f"{name} {count}" for name, count in missing.items() if count]
    told = f"requests that no cassette has, by work: {', '.join(missed) or 'none'}; they lie in {WANTED.name}/"
    return [
        measured("requests_to_record", sum(missing.values()), "requests", exactly(0), told),
        *(_of_reports(reports) if not any(one.missed for one in reports.values()) else ()),
        *_of_pages("", "seen", [pages["seen"]]),
        *_of_pages("_aside", "kept aside", [pages["aside"], pages["fresh"]]),
    ]


def _of_reports(reports: Mapping[str, Consumption]) -> list[Measure]:
    how = "the most of a catalog, a narrative and a report in Spanish, replies written by a person; "
    calls = {name: one.calls for name, one in reports.items()}
    tokens = {name: one.tokens for name, one in reports.items()}
    return [
        measured(
            "calls_standard_report",
            max(calls.values()),
            "calls",
            at_most(25),
            how + ", ".join(f"{name} {count}" for name, count in calls.items()),
        ),
        measured(
            "tokens_standard_report",
            max(tokens.values()),
            "tokens",
            at_most(60_000),
            how + ", ".join(f"{name} {count:,}" for name, count in tokens.items()) + "; bytes / 3",
        ),
    ]


def _of_pages(ending: str, of: str, played: Sequence[PlayedPages]) -> list[Measure]:
    """Return the figures of pages, none while replies are missing."""
    if any(one.missed for one in played):
        return []
    scores = [score(task, read) for one in played for task, read in one.read]
    how = f"{len(scores)} requests with the pages of strangers ({of}), replies written by a person"
    return [
        measured(
            f"items_recall_model{ending}",
            _share(sum(one.found for one in scores), sum(one.labelled for one in scores)),
            "of 1",
            at_least(0.92),
            how,
        ),
        measured(
            f"items_precision_model{ending}",
            _share(sum(one.right for one in scores), sum(one.read for one in scores)),
            "of 1",
            at_least(0.9),
            how,
        ),
        measured(
            f"fields_right_model{ending}",
            _share(sum(one.fields_right for one in scores), sum(one.fields for one in scores)),
            "of 1",
            at_least(0.92),
            how,
        ),
        measured(f"values_unproven_model{ending}", sum(one.unproven for one in scores), "values", exactly(0), how),
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
