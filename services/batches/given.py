"""Check what somebody says of a whole batch, as a value that a person types is checked."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from sqlalchemy.orm import Session

from core.errors import InvalidInputError
from core.labels import LabelledEnum, keys_of
from pipeline.validation.defaults import DEFAULT_FIELDS, LANGUAGE
from services.entries.apply_decision import cleaned_value
from services.messages.batch import BatchRefused
from services.schools.school_names import key_of, schools_by_key


class EssayLanguage(LabelledEnum):
    """Languages that an essay may be said to be written in."""

    ENGLISH = "en", "English"
    SPANISH = "es", "Spanish"


def checked_defaults(session: Session, season_id: uuid.UUID, typed: Mapping[str, str]) -> dict[str, str]:
    """Return the values as they are kept, by `DEFAULT_FIELDS` and LANGUAGE; other keys are left out.

    A school has the name that the season's list gives it. Raises InvalidInputError for a grade, school or language
    that there is not.
    """
    found = {name: cleaned_value(name, typed.get(name)) for name in DEFAULT_FIELDS}
    if school := found["school_name"]:
        found["school_name"] = _canonical(session, season_id, school)
    if language := typed.get(LANGUAGE, "").strip():
        if language not in keys_of(EssayLanguage):
            raise InvalidInputError(BatchRefused.LANGUAGE_UNKNOWN)
        found[LANGUAGE] = language
    return {name: value for name, value in found.items() if value is not None}


def _canonical(session: Session, season_id: uuid.UUID, name: str) -> str:
    listed = schools_by_key(session, season_id)
    if not listed:
        return name
    if (school := listed.get(key_of(name))) is None:
        raise InvalidInputError(BatchRefused.SCHOOL_NOT_LISTED, name=name)
    return school.name
