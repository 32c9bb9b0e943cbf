"""Whether a form can be used beside the others."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

from pydantic import BaseModel, ValidationError

from core.confined.children import one_child
from core.errors import DamagedDocumentError, InvalidInputError, TooCostlyError
from pipeline.blanks.marks import FormMarks, build_profile
from pipeline.extract_ifi import read_entry
from pipeline.pages.page_model import Box, PageContent, Source, Word
from pipeline.profiles import (
    TEXT_KINDS,
    FieldKind,
    FieldSpec,
    FormSpec,
    PrintedRole,
    ProfileKind,
    built_in_profiles,
    common_fields,
)
from pipeline.profiles.catalogue import own_profiles, trying
from pipeline.profiles.form import MOST_PRINTED, checked_pattern, compiled
from pipeline.schema import SubmissionRecord
from services.messages.entries import FormRefused

#: Seconds, and memory on top of a child's own, for reading a form, compiling its patterns and using it once.
_SECONDS, _MEMORY_BYTES = 10.0, 256 << 20
#: The rows of a page full of the smallest print, the words of one, and the letters of one of those.
_ROWS, _IN_ROW, _LETTERS = 100, 30, 12
#: Most characters of a part of a form, or of its fault, in a message.
_TOLD = 200
_KEY = re.compile(r"[a-z][a-z0-9_]{1,39}")
_OWN_KINDS = frozenset(FieldKind) - TEXT_KINDS
#: Names that pages, files and questions to a model give to other things.
_TAKEN = (
    "id status reasons missing confidence file pages batch form language received received_on late listed_school"
    " characters uncertain reason version filter line note csrf_token fields values action"
)
RESERVED = frozenset({*SubmissionRecord.model_fields, *dir(BaseModel), *_TAKEN.split()})


def check_form(profile: FormSpec) -> None:
    """Raise InvalidInputError if the form cannot be used beside those that come with the program.

    A child process with limits compiles its patterns and reads a page by it, so that a form that fails or takes
    too much does not come into use.
    """
    if not _KEY.fullmatch(profile.key):
        raise InvalidInputError(FormRefused.KEY_MALFORMED)
    if profile.key in built_in_profiles():
        raise InvalidInputError(FormRefused.KEY_TAKEN, form=profile.key)
    if profile.kind is ProfileKind.FREEFORM:
        raise InvalidInputError(FormRefused.KIND)
    if not profile.fields:
        raise InvalidInputError(FormRefused.NO_FIELDS)
    for name, spec in profile.fields.items():
        _check_field(profile, name, spec)
    for printed in profile.printed:
        if printed.field is not None and printed.field not in profile.fields:
            raise InvalidInputError(FormRefused.FIELD_UNKNOWN, text=printed.texts[0], name=printed.field)
    if not any(printed.role in (PrintedRole.TITLE, PrintedRole.LABEL) for printed in profile.printed):
        raise InvalidInputError(FormRefused.NOTHING_PRINTED)
    try_out(profile)


def try_out(profile: FormSpec) -> None:
    """Raise InvalidInputError if the form prints too much, a pattern is wrong, or no page can be read by it."""
    if profile.printed_characters > MOST_PRINTED:
        raise InvalidInputError(FormRefused.PRINTS_TOO_MUCH, limit=MOST_PRINTED)
    check_patterns(profile)
    if (refused := _first_use(json.dumps(definition_of(profile)))) is not None:
        raise InvalidInputError(refused)


def check_patterns(profile: FormSpec) -> None:
    """Raise InvalidInputError that names the first field whose pattern cannot be used."""
    for name, spec in profile.fields.items():
        if spec.pattern and (fault := pattern_fault(spec.pattern)):
            raise InvalidInputError(FormRefused.NOT_A_FORM, part=f"fields.{name}.pattern", fault=fault)


@lru_cache(maxsize=512)
def pattern_fault(pattern: str) -> str:
    """Return why a pattern cannot be used, "" if it can. It is compiled in a child process."""
    try:
        fault: str = _in_child(_fault_of_pattern, pattern)
    except InvalidInputError as error:
        return error.detail
    return fault


def parsed_toml(text: str) -> FormSpec:
    """Return the form that TOML describes, without a version. It is parsed in a child.

    Raises InvalidInputError for invalid TOML, and for one that describes no form or takes more than a form may.
    """
    return checked_profile(_in_child(_definition_in_toml, text))


def profile_of_marks(marks: FormMarks) -> FormSpec:
    """Return the form that marks describe. Raises InvalidInputError that names the first wrong part."""
    return _checked(lambda: build_profile(marks))


def checked_profile(given: object) -> FormSpec:
    """Return the profile that JSON describes. Raises InvalidInputError that names the first wrong part."""
    return _checked(lambda: FormSpec.model_validate(given))


def definition_of(profile: FormSpec) -> dict[str, Any]:
    """Return the form as JSON, without its version and what has its default."""
    return profile.model_dump(mode="json", exclude={"version"}, exclude_defaults=True, exclude_none=True)


def _checked(made: Callable[[], FormSpec]) -> FormSpec:
    try:
        return made()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        part = ".".join(str(place) for place in first["loc"])
        raise InvalidInputError(FormRefused.NOT_A_FORM, part=part[:_TOLD], fault=first["msg"][:_TOLD]) from None


def _in_child(function: Callable[[str], Any], given: str) -> Any:
    """Raises InvalidInputError if the function does, fails, or takes more than a form may."""
    try:
        with one_child(__name__) as child:
            return child.call(function, given, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES)
    except TooCostlyError as error:
        raise InvalidInputError(FormRefused.TOO_COSTLY) from error
    except DamagedDocumentError as error:
        raise InvalidInputError(FormRefused.NOT_USABLE) from error


def _definition_in_toml(text: str) -> dict[str, Any]:
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInputError(FormRefused.NO_TOML, fault=str(error)[:_TOLD]) from None
    except RecursionError:
        raise InvalidInputError(FormRefused.NO_TOML, fault="it is nested too deeply") from None
    except ValueError:
        raise InvalidInputError(FormRefused.NO_TOML, fault="a number has too many digits") from None
    return definition_of(checked_profile({**raw, "version": None}))


def _fault_of_pattern(pattern: str) -> str:
    try:
        compiled(checked_pattern(pattern))
    except ValueError as error:
        return str(error)
    return ""


@lru_cache(maxsize=64)
def _first_use(definition: str) -> FormRefused | None:
    """Return why no page can be read by a form, given in JSON; None if one can."""
    try:
        _in_child(_read_by, definition)
    except InvalidInputError as error:
        return FormRefused(error.told.code)
    return None


def _read_by(definition: str) -> None:
    """Read a page on which the form is filled in, and one full of the form's words in the smallest print."""
    profile = checked_profile({**json.loads(definition), "version": 1})
    with trying(profile):
        read_entry([_filled_in(profile)])
        read_entry([_full(profile)])


def _filled_in(profile: FormSpec) -> PageContent:
    """Return a page with all that the form prints, and a word in each field."""
    form = profile.on_letter()
    width, height = form.page
    words = [
        Word(text, Box(x0 / width, at.y0 / height, x1 / width, at.y1 / height), 1.0, Source.TEXT_LAYER, line)
        for line, (printed, at) in enumerate(_places(form))
        for text, x0, x1 in _side_by_side(printed.split() or [printed], at)
    ]
    return PageContent(1, width, height, words, source=Source.TEXT_LAYER)


def _full(profile: FormSpec) -> PageContent:
    """Return a page that has as many words as a sheet has room for, mixed from those that the form prints."""
    width, height = profile.on_letter().page
    known = [word[:_LETTERS] for printed in profile.printed for text in printed.texts for word in text.split()]
    places = product(range(_ROWS), range(_IN_ROW))
    words = [
        Word(text, Box(x / _IN_ROW, y / _ROWS, (x + 0.8) / _IN_ROW, (y + 0.7) / _ROWS), 1.0, Source.TEXT_LAYER, y)
        for (y, x), text in zip(places, Random(0).choices(known or ["Ana"], k=_ROWS * _IN_ROW), strict=True)
    ]
    return PageContent(1, width, height, words, source=Source.TEXT_LAYER)


def _places(form: FormSpec) -> Iterator[tuple[str, Box]]:
    yield from ((printed.texts[0], printed.at) for printed in form.printed if printed.at is not None)
    yield from (("Ana 7", spec.zone) for spec in form.fields.values() if spec.zone is not None)


def _side_by_side(words: list[str], at: Box) -> Iterator[tuple[str, float, float]]:
    """Yield words with where each begins and ends, evenly spread over a place."""
    step = at.width / len(words)
    yield from ((word, at.x0 + n * step, at.x0 + (n + 1) * step) for n, word in enumerate(words))


def _check_field(profile: FormSpec, name: str, spec: FieldSpec) -> None:
    if not _KEY.fullmatch(name):
        raise InvalidInputError(FormRefused.FIELD_NAME, name=name)
    common = common_fields().get(name)
    if common is not None:
        if common.derived:
            raise InvalidInputError(FormRefused.FIELD_RESERVED, name=name)
        if spec.kind not in (common.kind, FieldKind.IGNORED):
            raise InvalidInputError(FormRefused.FIELD_KIND, name=name)
    elif name in RESERVED:
        raise InvalidInputError(FormRefused.FIELD_RESERVED, name=name)
    elif spec.kind not in _OWN_KINDS:
        raise InvalidInputError(FormRefused.FIELD_TEXT, name=name)
    elif any(
        other.key != profile.key and name in other.fields and other.fields[name].kind is not spec.kind
        for other in own_profiles()
    ):
        raise InvalidInputError(FormRefused.FIELD_KIND, name=name)
    if spec.kind is FieldKind.CHOICE and not profile.options_of(name):
        raise InvalidInputError(FormRefused.FIELD_OPTIONS, name=name)
