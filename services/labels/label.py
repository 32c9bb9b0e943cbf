"""One entry in the format of the labels that `scripts/regression_check.py` reads. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: A word more or less than a person counted is no mistake.
_WORDS_APART = 0.02


def label_of(
    file: str, pages: int, doc_class: str, doc_format: str, complete: bool, values: Mapping[str, str | None]
) -> dict[str, Any]:
    """Return the label of a file that holds one entry; fields that are not in `values` are not scored."""
    entry: dict[str, Any] = dict(values)
    counted = values.get("word_count")
    words = int(counted) if counted else None
    spread = 0 if words is None else max(3, round(words * _WORDS_APART))
    entry |= {
        "word_count": words,
        "word_count_range": [max(0, (words or 0) - spread), (words or 0) + spread],
        "page_start": 1,
        "page_end": pages,
        "doc_class": doc_class,
        "complete": complete,
        "typed": doc_format == "native_text",
        "accepted": {},
        "hazards": [],
        "boxes": {},
    }
    return {"file": file, "kind": "settled", "blank_pages": [], "entries": [entry]}
