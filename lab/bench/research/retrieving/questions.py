"""Questions over pages that strangers wrote: worded unlike the passages that answer them, a third in the other
language. The halves `seen_*` were developed with, `aside_*` are only measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

_DATA = Path(__file__).resolve().parent.parent / "data"
Half = Literal["seen", "aside"]
#: The files whose pages are searched: others came later, for other measures, and would make the search harder.
_POOL: dict[Half, tuple[str, ...]] = {"seen": ("seen_t", "seen_u", "seen_x"), "aside": ("aside_v", "aside_w")}


@dataclass(frozen=True)
class Page:
    """A page of the library."""

    page_id: str
    title: str
    publisher: str
    year: int
    #: Markdown.
    text: str


@dataclass(frozen=True)
class Asked:
    """A question, and the page with the passage that answers it."""

    question: str
    language: Literal["en", "es"]
    page_id: str
    passage: str


def pages(half: Half) -> list[Page]:
    """Return all pages of a half."""
    return [
        Page(f"{name} {page['id']}", page["title"], page["publisher"], page["year"], page["text"])
        for name, tasks in _files("pages", half)
        for task in tasks
        for page in task["pages"]
    ]


def questions(half: Half) -> list[Asked]:
    """Return the questions of a half that a page answers."""
    return [
        Asked(row["question"], row["language"], f"{name} {row['page']}", row["passage"])
        for name, rows in _files("questions", half)
        for row in rows
        if row["page"] is not None
    ]


def _files(kind: str, half: Half) -> Iterator[tuple[str, list[Any]]]:
    for name in _POOL[half]:
        path = _DATA / kind / f"{name}.json"
        if path.exists():
            yield name, json.loads(path.read_text(encoding="utf-8"))
