"""Whether a form can be used beside the others."""

from __future__ import annotations

import re

from pydantic import BaseModel, ValidationError

from core.errors import InvalidInputError
from pipeline.profiles import FieldKind, FieldSpec, PrintedRole, Profile, ProfileKind, built_in_profiles
from pipeline.profiles.catalogue import own_profiles
from pipeline.profiles.declared import TEXT_KINDS, common_fields
from pipeline.schema import SubmissionRecord
from services.messages.form import FormRefused

_KEY = re.compile(r"[a-z][a-z0-9_]{1,39}")
_OWN_KINDS = frozenset(FieldKind) - TEXT_KINDS
#: Names that pages, files and questions to a model give to other things.
RESERVED = frozenset(
    {
        *SubmissionRecord.model_fields,
        *dir(BaseModel),
        *(
            "id",
            "status",
            "reasons",
            "missing",
            "confidence",
            "file",
            "pages",
            "batch",
            "form",
            "language",
            "received",
        ),
        *("uncertain", "reason", "version", "filter", "line", "note", "csrf_token", "fields", "values", "action"),
    }
)


def check_form(profile: Profile) -> None:
    """Raise InvalidInputError where the form cannot be used beside those that come with the program."""
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


def checked_profile(given: object) -> Profile:
    """Return the profile that JSON or TOML describes. Raises InvalidInputError that names the first wrong part."""
    try:
        return Profile.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        part = ".".join(str(place) for place in first["loc"])
        raise InvalidInputError(FormRefused.NOT_A_FORM, part=part, fault=first["msg"]) from None


def _check_field(profile: Profile, name: str, spec: FieldSpec) -> None:
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
