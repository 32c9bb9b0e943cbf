"""The schools that a written name may mean, for a person to choose from."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from core.models import School
from pipeline.extraction.known_schools import with_taught
from pipeline.extraction.values.schools import likely_schools as likely_names
from pipeline.extraction.values.schools import misspelled_school
from services.context import Context
from services.schools.school_names import key_of, schools_by_key
from services.seasons import current_season, school_list
from services.taught_schools import taught_schools

#: Number of schools that are offered.
MOST = 6


@dataclass(frozen=True)
class LikelySchool:
    """A known school that may be meant."""

    #: None for a school that settled entries have taught and that is not on the list.
    id: uuid.UUID | None
    name: str
    city: str | None
    #: 0-100.
    likeness: float


@dataclass(frozen=True)
class LikelySchools:
    """What is known of a written name."""

    text: str
    #: The school of the list whose name or alias it is.
    listed: LikelySchool | None
    #: The name of the school that the text is a misspelling of; None where it names one, or two may be meant.
    nearest: str | None
    #: The most similar schools, `listed` included; `nearest` is the first.
    schools: tuple[LikelySchool, ...]


def likely_schools(context: Context, text: str, limit: int = MOST) -> LikelySchools:
    """Return the known schools that are similar to a text: the one that it misspells, then the most similar."""
    text = " ".join(text.split())
    with context.database.session() as session:
        season_id = current_season(session).id
        by_key = schools_by_key(session, season_id)
        taught = [one.name for one in taught_schools(session, season_id) if one.counts]
        known = with_taught(school_list(session, season_id), taught)
        owner = by_key.get(key_of(text))
        nearest = misspelled_school(text, known) if owner is None else None
        similar = sorted(likely_names(text, known, len(known)), key=lambda one: one[0] != nearest)[:limit]
        found = tuple(_shown(by_key, name, likeness) for name, likeness in similar)
        listed = LikelySchool(owner.id, owner.name, owner.city, 100.0) if owner else None
    return LikelySchools(text, listed, nearest, found)


def _shown(by_key: dict[str, School], name: str, likeness: float) -> LikelySchool:
    school = by_key.get(key_of(name))
    if school is None:
        return LikelySchool(None, name, None, round(likeness, 1))
    return LikelySchool(school.id, name, school.city, round(likeness, 1))
