"""The marks of a form that is being described: fields with their zones, options, and what the form prints.

Boxes are in points of the form's page, origin top-left, as in profiles.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pipeline.pages.page_model import LETTER
from pipeline.profiles import FieldKind, PrintedRole, ProfileKind
from pipeline.profiles.form import PageSize, Place

#: Most fields, options of a field, and printed texts of one page.
MOST_FIELDS, MOST_OPTIONS, MOST_PRINTS = 80, 40, 200


class _Mark(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OptionMark(_Mark):
    """One option of a choice."""

    #: What is recorded where it is ticked.
    value: str = ""
    #: What people call it in Spanish; the value itself where there is nothing.
    value_es: str = ""
    #: Its printed text, and other wordings of it.
    texts: tuple[str, ...] = ()
    at: Place | None = None
    #: Where it is ticked.
    mark: Place | None = None


class FieldMark(_Mark):
    """One field."""

    key: str = ""
    label_en: str = ""
    label_es: str = ""
    kind: FieldKind = FieldKind.TEXT
    required: bool = False
    #: A regular expression that the whole value matches; "" for none.
    pattern: str = ""
    #: The language of its values, "" where any.
    language: str = ""
    #: What a language model is told of it.
    meaning: str = ""
    zone: Place | None = None
    #: Names of AcroForm fields.
    widgets: tuple[str, ...] = ()
    #: See `pipeline.profiles.FieldSpec`.
    heads: tuple[str, ...] = ()
    options: tuple[OptionMark, ...] = Field(default=(), max_length=MOST_OPTIONS)


class PrintMark(_Mark):
    """One printed text other than an option."""

    role: PrintedRole = PrintedRole.NOTE
    texts: tuple[str, ...] = ()
    #: Key of the field that it is of, "" for none.
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
    #: Parts of the page that only ever hold print.
    ignore: tuple[Place, ...] = Field(default=(), max_length=MOST_PRINTS)
