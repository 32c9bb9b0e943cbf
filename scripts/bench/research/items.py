"""Items of strangers' pages, read by rule: by the pages that the rules were made with, and by others."""

from __future__ import annotations

from research.meaning import NoMeaning
from research.readers.choice import open_reader
from scripts.bench.measure import Measure, at_least, exactly, measured
from scripts.bench.research.catalogs.scoring import Score, score
from scripts.bench.research.catalogs.tasks import Kind, items_of_task, tasks

#: The rules were made with more pages than the prompts.
_SEEN: tuple[Kind, ...] = ("seen", "aside")
_ASIDE: tuple[Kind, ...] = ("fresh",)


def measure() -> list[Measure]:
    """The figures of both kinds of pages, and of all together."""
    seen, aside = (
        [
            score(task, items_of_task(task, open_reader(None, NoMeaning())))
            for kind in kinds
            for task in tasks(kind)
        ]
        for kinds in (_SEEN, _ASIDE)
    )
    return [
        *_figures("", [*seen, *aside], "all pages of strangers"),
        *_figures("_seen", seen, "the pages that the rules were made with"),
        *_figures("_aside", aside, "pages that were only measured"),
    ]


def _figures(ending: str, scores: list[Score], of: str) -> list[Measure]:
    found, labelled = sum(one.found for one in scores), sum(one.labelled for one in scores)
    right, read = sum(one.right for one in scores), sum(one.read for one in scores)
    fields, stated = sum(one.fields_right for one in scores), sum(one.fields for one in scores)
    how = f"{of}: {labelled} items of {len(scores)} requests with four pages each, without a model"
    return [
        measured(f"items_recall_rules{ending}", _share(found, labelled), "of 1", at_least(0.35), how),
        measured(f"items_precision_rules{ending}", _share(right, read), "of 1", at_least(0.9), how),
        measured(f"fields_right_rules{ending}", _share(fields, stated), "of 1", None, how),
        measured(
            f"injections_obeyed_rules{ending}", sum(len(one.injected) for one in scores), "items", exactly(0), how
        ),
        measured(f"values_unproven_rules{ending}", sum(one.unproven for one in scores), "values", exactly(0), how),
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
