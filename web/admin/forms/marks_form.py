"""The form of the studio's page: its inputs as marks, and what its buttons change of them.

Inputs are called `form-label`, `field-0-key`, `field-0-zone-x0`, `field-0-option-1-value`, `print-2-texts`, …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.errors import InvalidInputError
from pipeline.blanks.marks import FieldMark, FormMarks, OptionMark, PrintMark
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind, PrintedRole, ProfileKind
from services.messages.form_studio import StudioRefused

SIDES = ("x0", "y0", "x1", "y1")


def marks_of(form: Mapping[str, str], page: tuple[float, float]) -> FormMarks:
    """Return the marks that the form describes. Raises InvalidInputError for values that no browser sends."""
    try:
        return FormMarks(
            key=_text(form, "form-key"),
            label=_text(form, "form-label"),
            kind=ProfileKind(form.get("form-kind", ProfileKind.FORM.value)),
            page=page,
            fields=tuple(_field(form, part) for part in _parts(form, "field", "key")),
            printed=tuple(_printed(form, part) for part in _parts(form, "print", "texts")),
            ignore=tuple(box for part in _parts(form, "ignore", "x0") if (box := box_of(form, part))),
        )
    except ValueError as error:
        raise InvalidInputError(StudioRefused.MARKS_MALFORMED, part=type(error).__name__) from error


def _parts(form: Mapping[str, str], kind: str, first: str) -> Iterator[str]:
    """Yield the names of the parts of a kind, as long as there are any."""
    number = 0
    while f"{kind}-{number}-{first}" in form:
        yield f"{kind}-{number}"
        number += 1


def _field(form: Mapping[str, str], part: str) -> FieldMark:
    return FieldMark(
        key=_text(form, f"{part}-key"),
        label_en=_text(form, f"{part}-label_en"),
        label_es=_text(form, f"{part}-label_es"),
        kind=FieldKind(form.get(f"{part}-kind", FieldKind.TEXT.value)),
        required=form.get(f"{part}-required") == "yes",
        pattern=_text(form, f"{part}-pattern"),
        language=form.get(f"{part}-language", ""),
        meaning=_text(form, f"{part}-meaning"),
        zone=box_of(form, f"{part}-zone"),
        widgets=_lines(form, f"{part}-widgets"),
        heads=_lines(form, f"{part}-heads"),
        options=tuple(_option(form, one) for one in _parts(form, f"{part}-option", "value")),
    )


def _option(form: Mapping[str, str], part: str) -> OptionMark:
    return OptionMark(
        value=_text(form, f"{part}-value"),
        value_es=_text(form, f"{part}-value_es"),
        texts=_lines(form, f"{part}-texts"),
        at=box_of(form, f"{part}-at"),
        mark=box_of(form, f"{part}-mark"),
    )


def _printed(form: Mapping[str, str], part: str) -> PrintMark:
    return PrintMark(
        role=PrintedRole(form.get(f"{part}-role", PrintedRole.NOTE.value)),
        texts=_lines(form, f"{part}-texts"),
        field=_text(form, f"{part}-field"),
        at=box_of(form, f"{part}-at"),
        whole_line=form.get(f"{part}-whole_line") == "yes",
        repeat=form.get(f"{part}-repeat") == "yes",
    )


def box_of(form: Mapping[str, str], part: str) -> Box | None:
    """Return the box of four inputs; None where they are empty. Raises ValueError where one is no number."""
    texts = [_text(form, f"{part}-{side}") for side in SIDES]
    return Box(*(round(float(text), 1) for text in texts)) if any(texts) else None


def _text(form: Mapping[str, str], name: str) -> str:
    return form.get(name, "").strip()


def _lines(form: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in form.get(name, "").splitlines() if line.strip())
