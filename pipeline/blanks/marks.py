"""The marks of a form that is being described: found on a blank, made from a profile, or turned into one.

Boxes are in points of the form's page, origin top-left, as in profiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from pipeline.blanks.areas import (
    STROKE,
    Choice,
    choices_of,
    in_both_languages,
    key_for,
    label_facts,
    labels_of,
    rounded,
    written_areas,
)
from pipeline.blanks.layout import BlankText, Layout, WordRun, in_points, layout_of, text_of_blank
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import LETTER, Box, PageContent, Widget
from pipeline.profiles import (
    FieldKind,
    FieldSpec,
    FormSpec,
    IgnoredZone,
    Printed,
    PrintedRole,
    ProfileKind,
    common_fields,
    declared_fields,
)
from pipeline.profiles.form import PageSize, Place

# The machine's first marks on a blank form: which fields it seems to have, and what it prints.


#: A title is in type this much larger than the usual, in the upper part of the page.
_LARGER, _UPPER = 1.3, 0.3
#: Greatest distance (points) between two marks of one box to tick.
_DOUBLE = 6.0


@dataclass(frozen=True, slots=True)
class _Found:
    """One field that the page seems to have."""

    zone: Box
    labels: tuple[WordRun, ...] = ()
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
    """Yield choices, then form fields of the PDF, then drawn areas."""
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


def _has(runs: Iterable[WordRun], run: WordRun) -> bool:
    return any(run is other for other in runs)


def _covers(zone: Box, box: Box) -> bool:
    """Whether a form field lies in an area already."""
    here = zone.x0 - 4 <= box.cx <= zone.x1 + 4 and zone.y0 - 4 <= box.cy <= zone.y1 + 4
    return here or (box.x0 - 4 <= zone.cx <= box.x1 + 4 and box.y0 - 4 <= zone.cy <= box.y1 + 4)


def _without_doubles(ticks: Iterable[Box]) -> list[Box]:
    """Return the boxes without those that are drawn where another one is."""
    kept: list[Box] = []
    for tick in ticks:
        if not any(_same(tick, other) for other in kept):
            kept.append(rounded(tick))
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
    facts = label_facts(named)
    kind = FieldKind.CHOICE if found.choice else facts.kind
    return FieldMark(
        key=key_for(kind, facts.en, taken),
        label_en=facts.en,
        label_es=facts.es,
        kind=kind,
        required=facts.required,
        zone=rounded(found.zone),
        widgets=found.widgets,
        options=tuple(_options(found.choice)) if found.choice else (),
    )


def _options(choice: Choice) -> Iterator[OptionMark]:
    for one in choice.options[:MOST_OPTIONS]:
        value = label_facts(one.option.text).en
        yield OptionMark(value=value, texts=_wordings(one.option.text), at=one.option.box, mark=one.mark)


def _wordings(text: str) -> tuple[str, ...]:
    """Return a printed text and, if a stroke separates two languages in it, each of the two."""
    parts = [part.strip() for part in STROKE.split(text)]
    return (text, *parts) if len(parts) == 2 and all(map(squeezed, parts)) else (text,)


def _printed(
    page: PageContent, runs: Sequence[WordRun], labels: dict[int, tuple[str, bool]]
) -> Iterator[PrintMark]:
    usual = sorted(run.size for run in runs)[len(runs) // 2] if runs else 0.0
    largest = max((run.size for run in runs), default=0.0)
    for run in runs:
        if not squeezed(run.text):
            continue
        key, repeat = labels.get(id(run), ("", False))
        title = run.size >= max(_LARGER * usual, 0.9 * largest) and run.box.y1 <= _UPPER * page.height
        role = PrintedRole.LABEL if key else PrintedRole.TITLE if title else PrintedRole.NOTE
        yield PrintMark(role=role, texts=_wordings(run.text), field=key, at=run.box, repeat=repeat)


# The initial marks of a form that has a profile.


def marks_of_profile(profile: FormSpec, page: tuple[float, float]) -> FormMarks:
    """Return the marks of a profile on a page of this size in points."""
    across, down = page[0] / profile.page[0], page[1] / profile.page[1]

    def moved(box: Box | None) -> Box | None:
        if box is None:
            return None
        scaled = (box[0] * across, box[1] * down, box[2] * across, box[3] * down)
        return Box(*(round(value, 1) for value in scaled))

    return FormMarks(
        key=profile.key,
        label=profile.label,
        kind=profile.kind,
        page=(round(page[0], 1), round(page[1], 1)),
        fields=tuple(_fields(profile, moved)),
        printed=tuple(
            PrintMark(
                role=one.role,
                texts=one.texts,
                field=one.field or "",
                at=moved(one.at),
                whole_line=one.whole_line,
                repeat=one.repeat,
            )
            for one in profile.printed
            if one.role is not PrintedRole.OPTION
        ),
        ignore=tuple(box for one in profile.ignore if (box := moved(one.zone))),
    )


def _fields(profile: FormSpec, moved: Callable[[Box | None], Box | None]) -> Iterator[FieldMark]:
    for key, spec in profile.fields.items():
        labels = _labels(key, spec)
        yield FieldMark(
            key=key,
            label_en=labels.get("en", ""),
            label_es=labels.get("es", ""),
            kind=spec.kind,
            required=bool(spec.required),
            pattern=spec.pattern or "",
            language=spec.language or "",
            meaning=spec.meaning or "",
            zone=moved(spec.zone),
            widgets=spec.widgets,
            heads=spec.heads,
            options=tuple(
                OptionMark(
                    value=one.value or "",
                    value_es=one.value_es,
                    texts=one.texts,
                    at=moved(one.at),
                    mark=moved(one.mark),
                )
                for one in profile.printed
                if one.role is PrintedRole.OPTION and one.field == key
            ),
        )


def _labels(key: str, spec: FieldSpec) -> dict[str, str]:
    """Return the labels that the form gives the field, else those that it has in every form."""
    if spec.label:
        return spec.label
    declared = declared_fields().get(key)
    return declared.label if declared else {}


# The profile that the marks of a form describe.


def build_profile(marks: FormMarks) -> FormSpec:
    """Return the profile. Raises ValidationError for marks that do not describe one."""
    return FormSpec(
        key=marks.key,
        label=marks.label,
        kind=marks.kind,
        page=marks.page,
        fields={field.key: _spec(field) for field in marks.fields},
        printed=(
            *_printed_options(marks),
            *(Printed(**{**dict(one), "field": one.field or None}) for one in marks.printed),
        ),
        ignore=tuple(IgnoredZone(zone=box) for box in marks.ignore),
    )


def _spec(field: FieldMark) -> FieldSpec:
    return FieldSpec(
        kind=field.kind,
        zone=field.zone,
        widgets=field.widgets,
        heads=field.heads,
        label=_label(field),
        meaning=field.meaning or None,
        required=field.required,
        pattern=field.pattern or None,
        language=field.language or None,
    )


def _label(field: FieldMark) -> dict[str, str] | None:
    """Return the label by language; None if it is the one that the field has in every form."""
    label = {code: text for code, text in (("en", field.label_en), ("es", field.label_es)) if text}
    common = common_fields().get(field.key)
    return None if not label or (common and common.label == label) else label


def _printed_options(marks: FormMarks) -> Iterator[Printed]:
    for field in marks.fields:
        for option in field.options if field.kind is FieldKind.CHOICE else ():
            yield Printed(role=PrintedRole.OPTION, field=field.key, **dict(option))


# The marks of a form that is being described: fields with their zones, options, and what the form prints.


#: Most fields, options of a field, and printed texts of one page.
MOST_FIELDS, MOST_OPTIONS, MOST_PRINTS = 80, 40, 200


class _Mark(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OptionMark(_Mark):
    #: What is recorded if it is ticked.
    value: str = ""
    #: Its Spanish label; "" for the value itself.
    value_es: str = ""
    #: Its printed text, and other wordings of it.
    texts: tuple[str, ...] = ()
    at: Place | None = None
    mark: Place | None = None


class FieldMark(_Mark):
    key: str = ""
    label_en: str = ""
    label_es: str = ""
    kind: FieldKind = FieldKind.TEXT
    required: bool = False
    #: A regular expression that the whole value matches; "" for none.
    pattern: str = ""
    #: The language of its values, "" where any.
    language: str = ""
    meaning: str = ""
    zone: Place | None = None
    widgets: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    options: tuple[OptionMark, ...] = Field(default=(), max_length=MOST_OPTIONS)


class PrintMark(_Mark):
    """One printed text other than an option."""

    role: PrintedRole = PrintedRole.NOTE
    texts: tuple[str, ...] = ()
    #: Key of its field, "" for none.
    field: str = ""
    at: Place | None = None
    whole_line: bool = False
    repeat: bool = False


class FormMarks(_Mark):
    """A form that is being described."""

    key: str = ""
    label: str = ""
    kind: ProfileKind = ProfileKind.FORM
    page: PageSize = LETTER
    fields: tuple[FieldMark, ...] = Field(default=(), max_length=MOST_FIELDS)
    printed: tuple[PrintMark, ...] = Field(default=(), max_length=MOST_PRINTS)
    ignore: tuple[Place, ...] = Field(default=(), max_length=MOST_PRINTS)
