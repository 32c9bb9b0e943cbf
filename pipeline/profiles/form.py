"""The parts of a form profile, and patterns for the values of its fields.

Coordinates are points on the form's page (612 x 792 unless said otherwise), origin top-left.
"""

from __future__ import annotations

import math
import re
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, TypeAlias

import regex
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pipeline.pages.page_model import LETTER, Box

# Patterns of a form for the values of a field: limited when declared, and matched within a time limit.


LONGEST = 200
#: Greatest length of a pattern with its counted repetitions written out, as they are compiled.
LONGEST_WRITTEN_OUT = 10_000
#: A longer value matches no pattern.
LONGEST_VALUE = 1000
#: A pattern that takes longer matches nothing.
SECONDS = 0.05
#: A group other than plain, named, atomic, lookaround or case-insensitive: with comments, flags and calls of
#: groups, parentheses no longer show what is repeated.
_OTHER_GROUP = re.compile(r"\(\?(?![:=!>]|<[=!]|P?<\w{1,40}>|i[:)])")
#: A set, which may hold named ones ("[:alpha:]") and extends to the end if it is not closed; an escaped character;
#: a number of repetitions; any other character.
_PART = re.compile(
    r"\[\^?+\]?+(?>(?:\\.|\[:\w++:\]|[^\]\\])*)(?:\]|\\?\Z)|\\.|\{(?P<least>\d*+)(?P<more>,(?P<most>\d*+))?\}|.",
    re.DOTALL,
)


def checked_pattern(pattern: str) -> str:
    """Return the pattern, uncompiled. Raises ValueError if compiling it may be costly."""
    if not pattern or len(pattern) > LONGEST:
        raise ValueError(f"a pattern has 1 to {LONGEST} characters")
    if _OTHER_GROUP.search(pattern):
        raise ValueError("a pattern has no flags but (?i), no comments and no calls of groups")
    if written_out(pattern) > LONGEST_WRITTEN_OUT:
        raise ValueError(f"a pattern repeats no more than {LONGEST_WRITTEN_OUT} characters in all")
    return pattern


def compiled(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern. Raises ValueError if it is not a regular expression."""
    try:
        return _compiled(pattern)
    except regex.error as exc:
        raise ValueError(f"no regular expression: {exc}") from exc


def matches(pattern: str, value: str) -> bool:
    """Whether the entire value matches the pattern; False if that is not decided within `SECONDS`."""
    if len(value) > LONGEST_VALUE:
        return False
    try:
        return _compiled(pattern).fullmatch(value, timeout=SECONDS) is not None
    except TimeoutError:
        return False


def written_out(pattern: str) -> int:
    """Return an upper bound of a pattern's length with each counted repetition written out."""
    open_groups, last = [0], 0
    for part in _PART.finditer(pattern):
        if part[0] == "(":
            open_groups.append(0)
        elif part[0] == ")" and len(open_groups) > 1:
            last = open_groups.pop() + 1
            open_groups[-1] += last
        elif part["least"] or part["more"]:
            times = max(int(part["least"] or 0), int(part["most"] or 0), 1)
            open_groups[-1] += last * (times - 1)
            last *= times
        else:
            last = 1
            open_groups[-1] += 1
    return sum(open_groups)


_compiled = lru_cache(maxsize=256)(regex.compile)


# The parts of a form profile.


#: Keys of the profiles that pages may be matched with; all if empty.
Forms: TypeAlias = tuple[str, ...]
ANY_FORM: Forms = ()
#: The field with the entrant's name, if a form has it.
ENTRANT = "student_name"


class ProfileKind(StrEnum):
    FORM = "form"
    ESSAY_PAGE = "essay_page"
    FREEFORM = "freeform"


class FieldKind(StrEnum):
    """Kinds of fields, which decide how values are parsed and checked."""

    PERSON = "person"
    SCHOOL = "school"
    GRADE = "grade"
    EMAIL = "email"
    PHONE = "phone"
    CHOICE = "choice"
    TEXT = "text"
    DATE = "date"
    NUMBER = "number"
    ESSAY = "essay"
    REACTION = "reaction"
    IGNORED = "ignored"


#: The kinds of the short fields around the essay.
HEADER_KINDS = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE, FieldKind.EMAIL, FieldKind.PHONE)
#: The kinds whose values have their own zones.
ZONE_KINDS = (*HEADER_KINDS, FieldKind.DATE, FieldKind.NUMBER, FieldKind.TEXT)


class PrintedRole(StrEnum):
    TITLE = "title"
    LOGO = "logo"
    DEADLINE = "deadline"
    LABEL = "label"
    OPTION = "option"
    PROMPT = "prompt"
    LIMIT = "limit"
    REACTION = "reaction"
    NOTE = "note"
    RULE = "rule"
    RULES_HEADING = "rules_heading"


#: Characters that PostgreSQL does not store: NUL, halves of surrogate pairs.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
#: Most characters of a form's print, aliases and repeated texts included. Every line of a page is compared with
#: all of it. The largest built-in form has 4,000, a page full of small print 15,000.
MOST_PRINTED = 20_000
#: Limits (points) of the longest and the shortest side of a page.
_LONGEST, _SHORTEST = 100_000.0, 1.0


def _stored(text: str) -> str:
    if _UNSTORABLE.search(text):
        raise ValueError("there are characters that cannot be stored")
    return text


def _placed(box: Box) -> Box:
    if not all(map(math.isfinite, box)):
        raise ValueError("a place has four numbers")
    return box


def _ordered(box: Box) -> Box:
    if not (-_LONGEST <= box.x0 < box.x1 <= _LONGEST and -_LONGEST <= box.y0 < box.y1 <= _LONGEST):
        raise ValueError("a place ends right of and below where it begins, on a page")
    return box


#: A place that somebody marks, which may not have an area yet, and a place of a form.
Place = Annotated[Box, AfterValidator(_placed)]
_Area = Annotated[Place, AfterValidator(_ordered)]
_Name = Annotated[str, Field(max_length=200), AfterValidator(_stored)]
_Language = Annotated[str, Field(max_length=10), AfterValidator(_stored)]
_Text = Annotated[str, Field(max_length=5000), AfterValidator(_stored)]
_Side = Annotated[float, Field(ge=_SHORTEST, le=_LONGEST, allow_inf_nan=False)]
PageSize = tuple[_Side, _Side]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FieldSpec(_Part):
    kind: FieldKind
    #: The place of its value on the form.
    zone: _Area | None = None
    #: Names of its AcroForm fields.
    widgets: tuple[_Name, ...] = Field(default=(), max_length=100)
    #: Words that precede its value in a header line ("Name: …").
    heads: tuple[_Name, ...] = Field(default=(), max_length=100)
    #: Its label by language, for the form's own field that `fields.toml` does not declare.
    label: dict[_Language, _Name] | None = None
    #: Its description for a language model, which is never asked for a field without one.
    meaning: _Text | None = None
    #: Whether an entry needs it. If it is None for all fields of a form, the season's policy decides.
    required: bool | None = None
    #: A pattern that the entire value must match.
    pattern: Annotated[_Name, AfterValidator(checked_pattern)] | None = None
    #: The language that its values are written in ("en", "es"): the order of a date's day and month.
    language: _Language | None = None
    #: The most characters that the form allows (`pipeline.validation.policy`).
    max_characters: int | None = Field(default=None, ge=1, le=1_000_000)


class Printed(_Part):
    """One text that the form prints, with its aliases; the first is the complete text."""

    role: PrintedRole
    texts: tuple[_Text, ...] = Field(min_length=1, max_length=200)
    field: _Name | None = None
    #: The value that an option represents.
    value: _Name | None = None
    #: The option's Spanish label; "" for the value itself.
    value_es: _Name = ""
    at: _Area | None = None
    #: The place of an option's tick.
    mark: _Area | None = None
    #: The rest of the line was printed too, in words that vary.
    whole_line: bool = False
    #: The second place of this label on the form.
    repeat: bool = False


class IgnoredZone(_Part):
    """A part of the page that holds print only."""

    zone: _Area


class FormSpec(_Part):
    """The profile of one form, ready to be matched with a page."""

    key: _Name
    label: _Name
    #: The label in Spanish, if it differs.
    label_es: _Name = ""
    kind: ProfileKind
    page: PageSize = LETTER
    fields: dict[_Name, FieldSpec] = Field(max_length=200)
    printed: tuple[Printed, ...] = Field(max_length=4000)
    ignore: tuple[IgnoredZone, ...] = Field(default=(), max_length=200)
    #: Version of a profile in the database; None for a built-in one.
    version: int | None = None

    @property
    def printed_characters(self) -> int:
        """Number of characters that the form prints, aliases and repeated texts included."""
        return sum(len(text) for printed in self.printed for text in printed.texts)

    @property
    def required(self) -> tuple[str, ...] | None:
        """The fields that an entry needs, in the order of the form; None if the form does not say."""
        if all(spec.required is None for spec in self.fields.values()):
            return None
        return tuple(name for name, spec in self.fields.items() if spec.required)

    def label_in(self, language: str) -> str:
        """The form's label in a language; in English if the form has none in it."""
        return self.label_es if language == "es" and self.label_es else self.label

    @property
    def has_essay(self) -> bool:
        return self.field_of_kind(FieldKind.ESSAY) is not None

    @property
    def entrant(self) -> str | None:
        """The field with the entrant's name: the usual one, or the first one of a person."""
        return ENTRANT if ENTRANT in self.fields else self.field_of_kind(FieldKind.PERSON)

    def fields_of_kind(self, *kinds: FieldKind) -> tuple[str, ...]:
        """The fields of these kinds, in the order of the form."""
        return tuple(name for name, spec in self.fields.items() if spec.kind in kinds)

    @property
    def labels_in_place(self) -> list[tuple[Box, Printed]]:
        """The labels whose place is known, each where it stands first, with their places."""
        labels = (p for p in self.printed if p.role is PrintedRole.LABEL and not p.repeat)
        return [(p.at, p) for p in labels if p.at is not None]

    def options_of(self, field: str) -> tuple[str, ...]:
        """The values of a field's printed options, each once."""
        options = (p for p in self.printed if p.role is PrintedRole.OPTION and p.field == field)
        return tuple(dict.fromkeys(p.value for p in options if p.value))

    def on_letter(self) -> FormSpec:
        """Return the profile with its places scaled to a letter page, upright or lying, as pages are read."""
        width, height = LETTER if self.page[0] <= self.page[1] else LETTER[::-1]
        if self.page == (width, height):
            return self
        across, down = width / self.page[0], height / self.page[1]

        def scaled(box: Box | None) -> Box | None:
            return box and Box(box.x0 * across, box.y0 * down, box.x1 * across, box.y1 * down)

        return self.model_copy(
            update={
                "page": (width, height),
                "fields": {k: s.model_copy(update={"zone": scaled(s.zone)}) for k, s in self.fields.items()},
                "printed": tuple(
                    p.model_copy(update={"at": scaled(p.at), "mark": scaled(p.mark)}) for p in self.printed
                ),
                "ignore": tuple(p.model_copy(update={"zone": scaled(p.zone)}) for p in self.ignore),
            }
        )

    def field_of_kind(self, kind: FieldKind) -> str | None:
        return next((name for name, spec in self.fields.items() if spec.kind is kind), None)
