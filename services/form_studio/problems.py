"""What is wrong with a draft, so that it cannot be saved as a version."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import InvalidInputError
from core.messages import Message
from pipeline.blanks.marks import FieldMark, FormMarks
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind
from services.forms.check_form import check_form, pattern_fault, profile_of_marks
from services.messages.form_studio import DraftProblem

_KEY = re.compile(r"[a-z][a-z0-9_]{1,39}")
#: Least sides (points) of a zone, and of a box to tick.
_LEAST = 4.0
#: How far (points) a box may be over the page's edge.
_OVER = 1.0
#: From this share of the smaller zone on two zones lie over each other.
_SHARED = 0.5
#: Fewest printed texts with a place: a page is registered by so many.
FEWEST_PRINTS = 3


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, and the part of the page where it is corrected."""

    message: Message
    #: Such as "form", "field-3", "field-3-option-0", "print-7".
    part: str


def problems_of(marks: FormMarks) -> list[Problem]:
    """Return what is wrong, in the order of the page; with nothing, the marks can be saved."""
    found = [*_of_form(marks), *_of_fields(marks), *_of_prints(marks)]
    if not found:
        try:
            check_form(profile_of_marks(marks))
        except InvalidInputError as error:
            found.append(Problem(error.told, "form"))
    return found


def _of_form(marks: FormMarks) -> Iterator[Problem]:
    if not marks.label.strip():
        yield _problem("form", DraftProblem.NO_LABEL)
    if not marks.key:
        yield _problem("form", DraftProblem.NO_KEY)
    elif not _KEY.fullmatch(marks.key):
        yield _problem("form", DraftProblem.KEY_MALFORMED, name=marks.key)
    if not marks.fields:
        yield _problem("form", DraftProblem.NO_FIELDS)
    placed = [one for one in marks.printed if one.at is not None]
    placed_options = [one for field in marks.fields for one in field.options if one.at is not None]
    if len(placed) + len(placed_options) < FEWEST_PRINTS:
        yield _problem("form", DraftProblem.NOTHING_PRINTED, limit=FEWEST_PRINTS)


def _of_fields(marks: FormMarks) -> Iterator[Problem]:
    counted = Counter(field.key for field in marks.fields if field.key)
    for number, field in enumerate(marks.fields):
        part, name = f"field-{number}", field.key or field.label_en or str(number + 1)
        if not field.key:
            yield _problem(part, DraftProblem.FIELD_WITHOUT_KEY, number=number + 1)
        elif not _KEY.fullmatch(field.key):
            yield _problem(part, DraftProblem.KEY_MALFORMED, name=field.key)
        elif counted[field.key] > 1:
            counted[field.key] = 1
            yield _problem(part, DraftProblem.KEY_TWICE, name=field.key)
        if field.pattern and pattern_fault(field.pattern):
            yield _problem(part, DraftProblem.PATTERN_MALFORMED, name=name)
        yield from _of_zone(marks, field, part, name)
        if field.kind is FieldKind.CHOICE:
            yield from _of_options(marks, field, part, name)
    yield from _over_each_other(marks)


def _of_zone(marks: FormMarks, field: FieldMark, part: str, name: str) -> Iterator[Problem]:
    if field.zone is None:
        ticked = field.kind is FieldKind.CHOICE and field.options
        if field.required and not ticked:
            yield _problem(part, DraftProblem.NO_ZONE, name=name)
    elif not _on_page(field.zone, marks.page):
        yield _problem(part, DraftProblem.OUTSIDE, name=name)
    elif field.zone.width < _LEAST or field.zone.height < _LEAST:
        yield _problem(part, DraftProblem.TOO_SMALL, name=name)


def _of_options(marks: FormMarks, field: FieldMark, part: str, name: str) -> Iterator[Problem]:
    if not field.options:
        yield _problem(part, DraftProblem.NO_OPTIONS, name=name)
    counted = Counter(option.value for option in field.options)
    for number, option in enumerate(field.options):
        here = f"{part}-option-{number}"
        value = option.value or str(number + 1)
        if not option.value:
            yield _problem(here, DraftProblem.OPTION_WITHOUT_VALUE, name=name, number=number + 1)
        elif counted[option.value] > 1:
            counted[option.value] = 1
            yield _problem(here, DraftProblem.OPTION_TWICE, name=name, value=option.value)
        if not any(map(squeezed, option.texts)):
            yield _problem(here, DraftProblem.OPTION_WITHOUT_TEXT, name=name, value=value)
        if option.mark is None or not _on_page(option.mark, marks.page):
            yield _problem(here, DraftProblem.OPTION_WITHOUT_MARK, name=name, value=value)


def _over_each_other(marks: FormMarks) -> Iterator[Problem]:
    zoned = [(n, field, field.zone) for n, field in enumerate(marks.fields) if field.zone is not None]
    for place, (_, field, zone) in enumerate(zoned):
        for number, other, second in zoned[place + 1 :]:
            if _overlap(zone, second) > _SHARED:
                yield _problem(f"field-{number}", DraftProblem.ZONES_OVERLAP, name=field.key, other=other.key)


def _of_prints(marks: FormMarks) -> Iterator[Problem]:
    keys = {field.key for field in marks.fields}
    for number, one in enumerate(marks.printed):
        part, text = f"print-{number}", (one.texts or ("",))[0][:60]
        if not any(map(squeezed, one.texts)):
            yield _problem(part, DraftProblem.PRINT_WITHOUT_TEXT, number=number + 1)
        if one.at is not None and not _on_page(one.at, marks.page):
            yield _problem(part, DraftProblem.PRINT_OUTSIDE, text=text)
        if one.field and one.field not in keys:
            yield _problem(part, DraftProblem.PRINT_OF_NO_FIELD, text=text, name=one.field)


def _problem(part: str, code: DraftProblem, **params: str | int) -> Problem:
    return Problem(Message.of(code, **params), part)


def _on_page(box: Box, page: tuple[float, float]) -> bool:
    ordered = box.x0 < box.x1 and box.y0 < box.y1
    return ordered and min(box.x0, box.y0) >= -_OVER and box.x1 <= page[0] + _OVER and box.y1 <= page[1] + _OVER


def _overlap(box: Box, other: Box) -> float:
    """Return the share of the smaller box that both cover."""
    across = min(box.x1, other.x1) - max(box.x0, other.x0)
    down = min(box.y1, other.y1) - max(box.y0, other.y0)
    return max(across, 0.0) * max(down, 0.0) / max(min(box.width * box.height, other.width * other.height), 1e-6)
