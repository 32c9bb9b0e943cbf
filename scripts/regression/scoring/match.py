"""Which predicted entry belongs to which labelled one, and whether a file was split rightly."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from scripts.regression.prediction import Prediction

#: A last page that no file has: the label leaves the end open (Word, where pages are the reader's affair).
_OPEN_END = 100_000


def match(labels: Sequence[Mapping[str, Any]], predictions: Sequence[Prediction]) -> list[int | None]:
    """For each label the index of the prediction that shares most pages with it, None where there is none."""
    pairs = sorted(
        (
            (-_shared(label, prediction), i, j)
            for i, label in enumerate(labels)
            for j, prediction in enumerate(predictions)
            if _shared(label, prediction) > 0
        )
    )
    found: list[int | None] = [None] * len(labels)
    taken: set[int] = set()
    for _, i, j in pairs:
        if found[i] is None and j not in taken:
            found[i] = j
            taken.add(j)
    return found


def split_right(
    labels: Sequence[Mapping[str, Any]], predictions: Sequence[Prediction], blank_pages: Collection[int] = ()
) -> bool:
    """Same number of entries with the same pages; a blank sheet may lie on either side."""
    if len(labels) != len(predictions):
        return False
    ordered = sorted(predictions, key=lambda p: p.page_start)
    wanted = sorted(labels, key=lambda label: int(label["page_start"]))
    return all(
        _same_pages(label, prediction, set(blank_pages)) for label, prediction in zip(wanted, ordered, strict=True)
    )


def _same_pages(label: Mapping[str, Any], prediction: Prediction, blank: set[int]) -> bool:
    if label["page_end"] is None:
        return bool(label["page_start"] == prediction.page_start)
    true = set(range(label["page_start"], label["page_end"] + 1)) - blank
    return true == set(range(prediction.page_start, prediction.page_end + 1)) - blank


def _shared(label: Mapping[str, Any], prediction: Prediction) -> int:
    end = label["page_end"] if label["page_end"] is not None else _OPEN_END
    first, last = max(int(label["page_start"]), prediction.page_start), min(int(end), prediction.page_end)
    return max(0, last - first + 1)
