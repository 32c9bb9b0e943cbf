"""Items of strangers' pages, read without a model: of pages that were only measured, and of those trained with."""

from __future__ import annotations

from research.meaning import NoMeaning
from research.readers.choice import open_reader
from scripts.bench.measure import Measure, at_least, exactly, measured
from scripts.bench.research.catalogs.scoring import Score, score
from scripts.bench.research.catalogs.tasks import Kind, items_of_task, tasks

#: By the ending of the measures.
_PAGES: dict[str, tuple[tuple[Kind, ...], str]] = {
    "": (("fresh", "kept", "plain", "long"), "pages that were only measured"),
    "_hard": (("fresh", "kept"), "of these, four pages a request, full of other names"),
    "_plain": (("plain",), "of these, ordinary pages, one to three a request"),
    "_long": (("long",), "of these, nine long sources a request"),
    "_trained": (("seen", "aside", "trained", "short"), "the pages that the reader was trained with"),
}


def measure() -> list[Measure]:
    """The figures of each group of pages."""
    return [one for ending, (kinds, of) in _PAGES.items() for one in _figures(ending, _scores(kinds), of)]


def _scores(kinds: tuple[Kind, ...]) -> list[Score]:
    known = [task for kind in kinds for task in tasks(kind)]
    return [score(task, items_of_task(task, open_reader(None, NoMeaning()))) for task in known]


def _figures(ending: str, scores: list[Score], of: str) -> list[Measure]:
    found, labelled = sum(one.found for one in scores), sum(one.labelled for one in scores)
    right, read = sum(one.right for one in scores), sum(one.read for one in scores)
    fields, stated = sum(one.fields_right for one in scores), sum(one.fields for one in scores)
    how = f"{of}: {labelled} items of {len(scores)} requests, without a model"
    recall, precision = (None, None) if ending == "_trained" else (at_least(0.35), at_least(0.9))
    return [
        measured(f"items_recall_rules{ending}", _share(found, labelled), "of 1", recall, how),
        measured(f"items_precision_rules{ending}", _share(right, read), "of 1", precision, how),
        measured(f"fields_right_rules{ending}", _share(fields, stated), "of 1", None, how),
        measured(
            f"injections_obeyed_rules{ending}", sum(len(one.injected) for one in scores), "items", exactly(0), how
        ),
        measured(f"values_unproven_rules{ending}", sum(one.unproven for one in scores), "values", exactly(0), how),
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
