"""What is wrong with a draft, and how it differs from the form in use."""

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
from pipeline.profiles import FieldKind, FieldSpec, FormSpec, Printed, PrintedRole
from services.forms.check_form import check_form, pattern_fault, profile_of_marks
from services.messages.entries import DraftProblem, FormChange

_KEY = re.compile(r"[a-z][a-z0-9_]{1,39}")
#: Least sides (points) of a zone, and of a box to tick.
_LEAST = 4.0
#: How far (points) a box may be over the page's edge.
_OVER = 1.0
#: Zones that share at least this part of the smaller one overlap.
_SHARED = 0.5
#: Fewest printed texts with a place that registering a page needs.
FEWEST_PRINTS = 3


@dataclass(frozen=True)
class MarkProblem:
    """One thing that is wrong, and the part of the page where it is corrected."""

    message: Message
    #: Such as "form", "field-3", "field-3-option-0", "print-7".
    part: str


def mark_problems(marks: FormMarks) -> list[MarkProblem]:
    """Return what is wrong, in the order of the page; the marks can be saved if the list is empty."""
    found = [*_of_form(marks), *_of_fields(marks), *_of_prints(marks)]
    if not found:
        try:
            check_form(profile_of_marks(marks))
        except InvalidInputError as error:
            found.append(MarkProblem(error.told, "form"))
    return found


def _of_form(marks: FormMarks) -> Iterator[MarkProblem]:
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


def _of_fields(marks: FormMarks) -> Iterator[MarkProblem]:
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


def _of_zone(marks: FormMarks, field: FieldMark, part: str, name: str) -> Iterator[MarkProblem]:
    if field.zone is None:
        ticked = field.kind is FieldKind.CHOICE and field.options
        if field.required and not ticked:
            yield _problem(part, DraftProblem.NO_ZONE, name=name)
    elif not _on_page(field.zone, marks.page):
        yield _problem(part, DraftProblem.OUTSIDE, name=name)
    elif field.zone.width < _LEAST or field.zone.height < _LEAST:
        yield _problem(part, DraftProblem.TOO_SMALL, name=name)


def _of_options(marks: FormMarks, field: FieldMark, part: str, name: str) -> Iterator[MarkProblem]:
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


def _over_each_other(marks: FormMarks) -> Iterator[MarkProblem]:
    zoned = [(n, field, field.zone) for n, field in enumerate(marks.fields) if field.zone is not None]
    for place, (_, field, zone) in enumerate(zoned):
        for number, other, second in zoned[place + 1 :]:
            if _overlap(zone, second) > _SHARED:
                yield _problem(f"field-{number}", DraftProblem.ZONES_OVERLAP, name=field.key, other=other.key)


def _of_prints(marks: FormMarks) -> Iterator[MarkProblem]:
    keys = {field.key for field in marks.fields}
    for number, one in enumerate(marks.printed):
        part, text = f"print-{number}", (one.texts or ("",))[0][:60]
        if not any(map(squeezed, one.texts)):
            yield _problem(part, DraftProblem.PRINT_WITHOUT_TEXT, number=number + 1)
        if one.at is not None and not _on_page(one.at, marks.page):
            yield _problem(part, DraftProblem.PRINT_OUTSIDE, text=text)
        if one.field and one.field not in keys:
            yield _problem(part, DraftProblem.PRINT_OF_NO_FIELD, text=text, name=one.field)


def _problem(part: str, code: DraftProblem, **params: str | int) -> MarkProblem:
    return MarkProblem(Message.of(code, **params), part)


def _on_page(box: Box, page: tuple[float, float]) -> bool:
    ordered = box.x0 < box.x1 and box.y0 < box.y1
    return ordered and min(box.x0, box.y0) >= -_OVER and box.x1 <= page[0] + _OVER and box.y1 <= page[1] + _OVER


def _overlap(box: Box, other: Box) -> float:
    """Return the share of the smaller box that both cover."""
    across = min(box.x1, other.x1) - max(box.x0, other.x0)
    down = min(box.y1, other.y1) - max(box.y0, other.y0)
    return max(across, 0.0) * max(down, 0.0) / max(min(box.width * box.height, other.width * other.height), 1e-6)


#: A box that moved by less than this (points) does not count as moved.
_MOVED = 0.5


def differences(before: FormSpec, after: FormSpec) -> list[Message]:
    """Return what differs: the form, then its fields with their options, then what it prints."""
    return [
        *_changes_of_form(before, after),
        *_changes_of_fields(before, after),
        *_changes_of_prints(before, after),
    ]


def _changes_of_form(before: FormSpec, after: FormSpec) -> Iterator[Message]:
    if before.label != after.label:
        yield Message.of(FormChange.LABEL, before=before.label, after=after.label)
    if before.kind is not after.kind:
        yield Message.of(FormChange.KIND)


def _changes_of_fields(before: FormSpec, after: FormSpec) -> Iterator[Message]:
    for name in after.fields:
        if name not in before.fields:
            yield Message.of(FormChange.FIELD_ADDED, name=name)
    for name in before.fields:
        if name not in after.fields:
            yield Message.of(FormChange.FIELD_REMOVED, name=name)
    for name, spec in after.fields.items():
        if name in before.fields:
            yield from _of_field(name, before.fields[name], spec)
            yield from _changes_of_options(name, _options(before, name), _options(after, name))


def _of_field(name: str, before: FieldSpec, after: FieldSpec) -> Iterator[Message]:
    if before.kind is not after.kind:
        yield Message.of(
            FormChange.FIELD_KIND, name=name, kind_before=before.kind.value, kind_after=after.kind.value
        )
    if before.label != after.label:
        yield Message.of(FormChange.FIELD_LABEL, name=name, before=_label(before), after=_label(after))
    if bool(before.required) != bool(after.required):
        yield Message.of(FormChange.FIELD_REQUIRED if after.required else FormChange.FIELD_OPTIONAL, name=name)
    parts = (
        (FormChange.FIELD_PATTERN, before.pattern, after.pattern),
        (FormChange.FIELD_LANGUAGE, before.language, after.language),
        (FormChange.FIELD_MEANING, before.meaning, after.meaning),
        (FormChange.FIELD_WIDGETS, before.widgets, after.widgets),
    )
    yield from (Message.of(code, name=name) for code, one, other in parts if one != other)
    if _moved(before.zone, after.zone):
        yield Message.of(FormChange.FIELD_ZONE, name=name)


def _label(spec: FieldSpec) -> str:
    return " / ".join((spec.label or {}).values()) or "–"


def _options(profile: FormSpec, field: str) -> dict[str, Printed]:
    return {p.value or "": p for p in profile.printed if p.role is PrintedRole.OPTION and p.field == field}


def _changes_of_options(name: str, before: dict[str, Printed], after: dict[str, Printed]) -> Iterator[Message]:
    yield from (Message.of(FormChange.OPTION_ADDED, name=name, value=v) for v in after if v not in before)
    yield from (Message.of(FormChange.OPTION_REMOVED, name=name, value=v) for v in before if v not in after)
    for value, option in after.items():
        if value in before and _changed(before[value], option):
            yield Message.of(FormChange.OPTION_CHANGED, name=name, value=value)


def _changes_of_prints(before: FormSpec, after: FormSpec) -> Iterator[Message]:
    old, new = _prints(before), _prints(after)
    yield from (Message.of(FormChange.PRINT_ADDED, text=text) for text in new if text not in old)
    yield from (Message.of(FormChange.PRINT_REMOVED, text=text) for text in old if text not in new)
    for text, printed in new.items():
        if text in old and _changed(old[text], printed):
            yield Message.of(FormChange.PRINT_CHANGED, text=text)


def _prints(profile: FormSpec) -> dict[str, Printed]:
    return {p.texts[0]: p for p in profile.printed if p.role is not PrintedRole.OPTION}


def _changed(before: Printed, after: Printed) -> bool:
    alike = (before.texts, before.role, before.field, before.whole_line, before.repeat) == (
        after.texts,
        after.role,
        after.field,
        after.whole_line,
        after.repeat,
    )
    return not alike or _moved(before.at, after.at) or _moved(before.mark, after.mark)


def _moved(before: tuple[float, ...] | None, after: tuple[float, ...] | None) -> bool:
    if before is None or after is None:
        return before is not after
    return any(abs(one - other) >= _MOVED for one, other in zip(before, after, strict=True))
