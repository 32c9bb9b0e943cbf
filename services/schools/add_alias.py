"""Add an alias, another written form of its name, to a school of the current season."""

from __future__ import annotations

from collections.abc import Collection

from rapidfuzz import fuzz, process

from core.errors import InvalidInputError, NotFoundError
from core.models import SchoolAlias
from services.context import Context
from services.messages.school import SchoolRefused
from services.schools.school_names import cleaned_name, key_of, schools_by_key
from services.seasons import current_season

#: Least similarity (0-100) for a school of the list to be suggested in place of an unknown name.
_LIKE = 60.0


def add_alias(context: Context, school: str, alias: str) -> str:
    """Add an alias to a school, given by its name or another alias, and return the school's name.

    Raises NotFoundError for a school that is not on the list, and InvalidInputError for an alias that is invalid
    or belongs to a school already.
    """
    alias = cleaned_name(alias)
    with context.database.session() as session:
        known = schools_by_key(session, current_season(session).id)
        wanted = known.get(key_of(school))
        if wanted is None:
            raise NotFoundError(_unknown(school, {school.name for school in known.values()}))
        if (owner := known.get(key_of(alias))) is not None:
            raise InvalidInputError(SchoolRefused.MEANS_ANOTHER, name=alias, school=owner.name)
        session.add(SchoolAlias(school_id=wanted.id, alias=alias, alias_key=key_of(alias)))
        return wanted.name


def _unknown(name: str, names: Collection[str]) -> str:
    near = process.extractOne(name, names, scorer=fuzz.ratio, processor=key_of, score_cutoff=_LIKE)
    meant = f"; did you mean “{near[0]}”?" if near else ""
    return f"no school of the list is called “{name}”{meant}"
