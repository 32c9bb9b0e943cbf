"""The errors of a run, each with crops of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.confined.mupdf import pymupdf
from core.errors import AppError
from scripts.regression.prediction import Box
from scripts.regression.report.crops import Picture, crop, opened, small_page
from scripts.regression.scoring.evidence import around

#: A stack is shown up to here.
_STRIP = 40
_Place = tuple[int, Box]


@dataclass(frozen=True)
class Figure:
    """A picture, what it shows, and the boxes on it by class ("true", "read")."""

    title: str
    picture: Picture
    marks: list[tuple[str, dict[str, float]]]


@dataclass(frozen=True)
class ErrorCard:
    """One wrong value."""

    file: Mapping[str, Any]
    entry: Mapping[str, Any]
    name: str
    fault: Mapping[str, Any]
    figures: list[Figure] = field(default_factory=list)


@dataclass(frozen=True)
class SplitCard:
    """One file that was cut wrongly; `pages` are (picture, number of the true entry, of the one read)."""

    file: Mapping[str, Any]
    true: list[list[int | None]]
    read: list[list[int]]
    pages: list[tuple[Picture, int | None, int | None]] = field(default_factory=list)


def cards(
    files: Sequence[Mapping[str, Any]], paths: Mapping[str, Path]
) -> tuple[list[ErrorCard], list[SplitCard]]:
    """Return the errors of all files, those that passed without review first; `paths` by digest."""
    errors: list[ErrorCard] = []
    splits: list[SplitCard] = []
    for file in files:
        if not file.get("entries") or not _faulty(file):
            continue
        try:
            with opened(paths[file["sha256"]]) as document:
                errors += _errors(file, document)
                splits += _splits(file, document)
        except (AppError, OSError):
            # What cannot be opened has no picture; its errors count all the same.
            errors += _errors(file, None)
            splits += _splits(file, None)
    return sorted(errors, key=lambda card: not card.entry["silent_wrong"]), splits


def _faulty(file: Mapping[str, Any]) -> bool:
    return not file["split_right"] or any(entry["faults"] for entry in file["entries"])


def _errors(file: Mapping[str, Any], document: pymupdf.Document | None) -> Iterator[ErrorCard]:
    for entry in file["entries"]:
        for name, fault in entry["faults"].items():
            figures = _figures(document, fault) if document is not None else []
            yield ErrorCard(file, entry, name, fault, figures)


def _figures(document: pymupdf.Document, fault: Mapping[str, Any]) -> list[Figure]:
    """Where the value stands and where it was read; one picture where both fit on it."""
    true = _place(fault["true_place"]) if fault["true_place"] else None
    read = _read_place(fault["read_places"], true)
    if true is None and read is None:
        return []
    if true is None or read is None:
        title = "true place, nothing read" if read is None else "read here; no true place known"
        return _drawn(document, title, true or read, true, read)
    together = crop(document, *true)
    if true[0] == read[0] and _inside(read[1], together.view):
        return [Figure("true and read place", together, _marks(together, true, read))]
    return [
        Figure("true place", together, _marks(together, true, None)),
        *_drawn(document, "read here", read, true, read),
    ]


def _drawn(
    document: pymupdf.Document, title: str, at: _Place | None, true: _Place | None, read: _Place | None
) -> list[Figure]:
    if at is None or not 1 <= at[0] <= document.page_count:
        return []
    picture = crop(document, *at)
    return [Figure(title, picture, _marks(picture, true, read))]


def _marks(picture: Picture, true: _Place | None, read: _Place | None) -> list[tuple[str, dict[str, float]]]:
    return [
        (name, picture.place(place[1]))
        for name, place in (("true", true), ("read", read))
        if place is not None and place[0] == picture.page
    ]


def _place(place: Sequence[Any]) -> _Place:
    left, top, right, bottom = place[1]
    return int(place[0]), (left, top, right, bottom)


def _read_place(places: Sequence[Sequence[Any]], true: _Place | None) -> _Place | None:
    """All pieces on the true page, else on the first page that has one."""
    pieces = [_place(place) for place in places]
    if not pieces:
        return None
    page = true[0] if true and any(number == true[0] for number, _ in pieces) else pieces[0][0]
    return page, around([box for number, box in pieces if number == page])


def _inside(box: Box, view: Box) -> bool:
    return box[0] >= view[0] and box[1] >= view[1] and box[2] <= view[2] and box[3] <= view[3]


def _splits(file: Mapping[str, Any], document: pymupdf.Document | None) -> Iterator[SplitCard]:
    if file["split_right"]:
        return
    true = [entry["pages"] for entry in file["entries"] if entry["pages"]]
    read = sorted(entry["pages_read"] for entry in file["entries"] if entry["pages_read"])
    pages = []
    if document is not None:
        pages = [
            (small_page(document, number), _number_of(number, true), _number_of(number, read))
            for number in range(1, min(_STRIP, document.page_count) + 1)
        ]
    yield SplitCard(file, true, read, pages)


def _number_of(page: int, spans: Sequence[Sequence[int | None]]) -> int | None:
    """Which span, from 1, a page lies in."""
    for number, (first, last) in enumerate(spans, 1):
        if (first or 1) <= page and (last is None or page <= last):
            return number
    return None
