"""What the buttons of the studio's page change of the marks: add, remove and move parts."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import InvalidInputError
from pipeline.blanks.marks import FieldMark, FormMarks, OptionMark, PrintMark
from services.messages.form_studio import StudioRefused
from web.admin.forms.marks_form import box_of
from web.whole_number import whole_number


def edited(marks: FormMarks, action: str, form: Mapping[str, str]) -> tuple[FormMarks, str]:
    """Return the marks after a button was pressed, and the part of the page to show; "" for no button.

    Raises InvalidInputError for a button that there is not.
    """
    fields, printed = list(marks.fields), list(marks.printed)
    verb, numbers = _parsed(action)
    try:
        match verb, numbers:
            case "refresh", []:
                # The inputs that a changed kind needs.
                return marks, "unchanged"
            case "", []:
                return marks, ""
            case "add-field", []:
                fields.append(FieldMark(zone=box_of(form, "new")))
                part = f"field-{len(fields) - 1}"
            case "add-print", []:
                printed.append(PrintMark(at=box_of(form, "new")))
                part = f"print-{len(printed) - 1}"
            case "add-option", [at]:
                options = (*fields[at].options, OptionMark())
                fields[at] = fields[at].model_copy(update={"options": options})
                part = f"field-{at}-option-{len(options) - 1}"
            case "remove-field", [at]:
                printed = _without_field(printed, fields.pop(at).key)
                part = "fields"
            case "remove-print", [at]:
                printed.pop(at)
                part = "prints"
            case "remove-option", [at, option]:
                left = tuple(one for number, one in enumerate(fields[at].options) if number != option)
                fields[at] = fields[at].model_copy(update={"options": left})
                part = f"field-{at}"
            case "up-field", [at]:
                fields.insert(max(at - 1, 0), fields.pop(at))
                part = f"field-{max(at - 1, 0)}"
            case _:
                raise InvalidInputError(StudioRefused.MARKS_MALFORMED, part="do")
    except (IndexError, ValueError) as error:
        raise InvalidInputError(StudioRefused.MARKS_MALFORMED, part=action) from error
    # Checked again: a form has room for only so many.
    try:
        changed = FormMarks.model_validate({**dict(marks), "fields": tuple(fields), "printed": tuple(printed)})
    except ValueError as error:
        raise InvalidInputError(StudioRefused.MARKS_MALFORMED, part=action) from error
    return changed, part


def _without_field(printed: list[PrintMark], key: str) -> list[PrintMark]:
    """Return the printed texts, none of them of the field that was removed."""
    return [one.model_copy(update={"field": ""}) if one.field == key else one for one in printed]


def _parsed(action: str) -> tuple[str, list[int]]:
    """Return the verb and the numbers of `remove-option-3-1`."""
    words = action.split("-")
    numbers = [whole_number(word) for word in words if word.isdecimal()]
    return "-".join(word for word in words if not word.isdecimal()), numbers
