"""The machine's first marks on a blank form: which fields it seems to have, and what it prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.blanks.areas import in_both_languages, labels_of, written_areas
from pipeline.blanks.choices import Choice, choices_of
from pipeline.blanks.labels import STROKE, facts_of, key_for
from pipeline.blanks.layout import Layout, layout_of
from pipeline.blanks.marks import (
    MOST_FIELDS,
    MOST_OPTIONS,
    MOST_PRINTS,
    FieldMark,
    FormMarks,
    OptionMark,
    PrintMark,
)
from pipeline.blanks.runs import BlankText, Run, in_points, text_of_blank
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Box, PageContent, Widget
from pipeline.profiles import FieldKind, PrintedRole

#: A title is in type this much larger than the usual, in the upper part of the page.
_LARGER, _UPPER = 1.3, 0.3
#: Two marks of one box to tick are at most so far (points) apart.
_DOUBLE = 6.0


@dataclass(frozen=True, slots=True)
class _Found:
    """One field that the page seems to have."""

    zone: Box
    labels: tuple[Run, ...] = ()
    choice: Choice | None = None
    widgets: tuple[str, ...] = ()


def first_marks(page: PageContent, grey: NDArray[np.uint8], scale: float) -> FormMarks:
    """Return marks for a blank page from its words, its form fields and its picture of `scale` pixels a point."""
    letters = [in_points(word.box, page) for word in page.words if any(map(str.isalnum, word.text))]
    layout = layout_of(grey, scale, letters)
    text = text_of_blank(page, layout)
    found = sorted(_found(page, layout, text), key=lambda one: (round(one.zone.cy / 8), one.zone.x0))
    fields: list[FieldMark] = []
    for one in found[:MOST_FIELDS]:
        fields.append(_field(one, [field.key for field in fields]))
    labels = {
        id(run): (field.key, number > 0)
        for one, field in zip(found, fields, strict=False)
        for number, run in enumerate(one.labels)
    }
    options = {id(option.option) for one in found if one.choice for option in one.choice.options}
    runs = [run for run in text.runs if id(run) not in options]
    return FormMarks(
        page=(round(page.width, 1), round(page.height, 1)),
        fields=tuple(fields),
        printed=tuple(_printed(page, runs, labels))[:MOST_PRINTS],
    )


def _found(page: PageContent, layout: Layout, text: BlankText) -> Iterator[_Found]:
    """Yield choices, then what has a form field of the PDF, then areas that are drawn."""
    widgets = [(widget, in_points(widget.box, page)) for widget in page.widgets]
    ticks = [box for widget, box in widgets if widget.kind in ("checkbox", "radio")]
    choices = choices_of(_without_doubles([*ticks, *layout.ticks, *text.ticks]), text.runs, layout.cells)
    used = [one.option for choice in choices for one in choice.options]
    for choice in choices:
        free = [run for run in text.runs if not _has(used, run)]
        labels = in_both_languages(choice.label, free) if choice.label else ()
        used += labels
        yield _Found(_around(choice), labels, choice, tuple(_names(choice, widgets)))
    filled: list[Box] = []
    for widget, box in widgets:
        if widget.kind in ("text", "choice"):
            free = [run for run in text.runs if not _has(used, run)]
            labels = labels_of(box, free)
            used += labels
            filled.append(box)
            yield _Found(box, labels, None, (widget.name,))
    for area in written_areas(text, layout, used, (page.width, page.height)):
        if not any(_covers(area.zone, box) for box in filled):
            yield _Found(area.zone, area.labels)


def _has(runs: Iterable[Run], run: Run) -> bool:
    return any(run is other for other in runs)


def _covers(zone: Box, box: Box) -> bool:
    """Whether an area is where a form field is already."""
    here = zone.x0 - 4 <= box.cx <= zone.x1 + 4 and zone.y0 - 4 <= box.cy <= zone.y1 + 4
    return here or (box.x0 - 4 <= zone.cx <= box.x1 + 4 and box.y0 - 4 <= zone.cy <= box.y1 + 4)


def _without_doubles(ticks: Iterable[Box]) -> list[Box]:
    """Return the boxes without those that are drawn where another one is."""
    kept: list[Box] = []
    for tick in ticks:
        if not any(_same(tick, other) for other in kept):
            kept.append(_rounded(tick))
    return kept


def _same(tick: Box, other: Box) -> bool:
    return abs(tick.cx - other.cx) <= _DOUBLE and abs(tick.cy - other.cy) <= _DOUBLE


def _around(choice: Choice) -> Box:
    box = choice.options[0].mark
    for one in choice.options:
        box = box.union(one.mark).union(one.option.box)
    return box


def _names(choice: Choice, widgets: Sequence[tuple[Widget, Box]]) -> Iterator[str]:
    """Yield the names of the form fields of a choice, each once."""
    names = [widget.name for widget, box in widgets if any(_same(box, one.mark) for one in choice.options)]
    yield from dict.fromkeys(names)


def _field(found: _Found, taken: Sequence[str]) -> FieldMark:
    named = " / ".join(run.text for run in found.labels) or (found.widgets[0] if found.widgets else "")
    facts = facts_of(named)
    kind = FieldKind.CHOICE if found.choice else facts.kind
    return FieldMark(
        key=key_for(kind, facts.en, taken),
        label_en=facts.en,
        label_es=facts.es,
        kind=kind,
        required=facts.required,
        zone=_rounded(found.zone),
        widgets=found.widgets,
        options=tuple(_options(found.choice)) if found.choice else (),
    )


def _options(choice: Choice) -> Iterator[OptionMark]:
    for one in choice.options[:MOST_OPTIONS]:
        value = facts_of(one.option.text).en
        yield OptionMark(value=value, texts=_wordings(one.option.text), at=one.option.box, mark=one.mark)


def _wordings(text: str) -> tuple[str, ...]:
    """Return a printed text, and its two languages by themselves where a stroke stands between them."""
    parts = [part.strip() for part in STROKE.split(text)]
    return (text, *parts) if len(parts) == 2 and all(map(squeezed, parts)) else (text,)


def _printed(page: PageContent, runs: Sequence[Run], labels: dict[int, tuple[str, bool]]) -> Iterator[PrintMark]:
    usual = sorted(run.size for run in runs)[len(runs) // 2] if runs else 0.0
    largest = max((run.size for run in runs), default=0.0)
    for run in runs:
        if not squeezed(run.text):
            continue
        key, repeat = labels.get(id(run), ("", False))
        title = run.size >= max(_LARGER * usual, 0.9 * largest) and run.box.y1 <= _UPPER * page.height
        role = PrintedRole.LABEL if key else PrintedRole.TITLE if title else PrintedRole.NOTE
        yield PrintMark(role=role, texts=_wordings(run.text), field=key, at=run.box, repeat=repeat)


def _rounded(box: Box) -> Box:
    return Box(*(round(value, 1) for value in box))
