"""The form as a person marks it in the studio: the machine's first marks on the empty sheet, corrected.

Nothing here knows what any copy says.
"""

from __future__ import annotations

import numpy as np

from core.config import Settings
from core.file_store import FileStore
from lab.samples.camp import layout
from pipeline.blanks.marks import FieldMark, FormMarks, OptionMark, PrintMark, build_profile, first_marks
from pipeline.profiles import FieldKind, FormSpec
from pipeline.recognition.page_contents import read_pages, render_page

KEY = "summer_camp"
#: The empty form that is described, among those of the collection.
BLANK = "camp-blank-live.pdf"
_DPI = 150
#: The fields that lists of entries know by other names than their labels say.
_BY_LABEL = {cell.english: cell for cell in layout.CELLS}


def corrected(first: FormMarks) -> FormMarks:
    """Return the machine's marks as a person leaves them: with names, required fields and short options.

    What the camp does not ask for, as the day of the signature, is ignored.
    """
    named = {field.key: _cell_of(field) for field in first.fields}
    return first.model_copy(
        update={
            "key": KEY,
            "label": "Summer camp",
            "fields": tuple(_field(field, named[field.key]) for field in first.fields),
            "printed": tuple(_printed(one, named) for one in first.printed),
        }
    )


def marked_form(blank: bytes, settings: Settings, store: FileStore) -> FormSpec:
    """Return the profile of an empty form, a PDF with live fields: the machine's first marks, corrected."""
    (page,) = read_pages(blank, settings, store)
    grey = np.asarray(render_page(blank, 1, _DPI).convert("L"))
    return studio_profile(first_marks(page, grey, grey.shape[1] / page.width))


def studio_profile(first: FormMarks) -> FormSpec:
    """Return the profile that the studio saves of these marks, corrected."""
    return build_profile(corrected(first))


def _cell_of(field: FieldMark) -> layout.Cell | None:
    return _BY_LABEL.get(field.label_en)


def _field(field: FieldMark, cell: layout.Cell | None) -> FieldMark:
    if cell is None:
        return field.model_copy(update={"kind": FieldKind.IGNORED, "options": ()})
    options = tuple(_option(option, cell) for option in field.options)
    return field.model_copy(
        update={"key": cell.name, "required": cell.required, "language": "en", "options": options}
    )


def _option(option: OptionMark, cell: layout.Cell) -> OptionMark:
    value = next((one.value for one in cell.options if one.text == option.texts[0]), option.value)
    return option.model_copy(update={"value": value})


def _printed(one: PrintMark, named: dict[str, layout.Cell | None]) -> PrintMark:
    cell = named.get(one.field)
    return one.model_copy(update={"field": cell.name}) if cell else one
