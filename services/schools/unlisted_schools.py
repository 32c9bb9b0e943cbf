"""School names that settled entries have and the current season's list has not."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.extraction.values.schools import likely_schools
from services.context import Context
from services.schools.school_names import key_of, schools_by_key
from services.seasons import current_season, school_list
from services.taught_schools import taught_schools

#: Number of schools of the list that a name is held against.
_LIKELY = 5


@dataclass(frozen=True)
class UnlistedSchool:
    """A name that is not on the list."""

    name: str
    #: Number of settled entries that have it.
    settled: int
    #: Whether it is known nevertheless, by what settled entries teach.
    counts: bool
    #: Schools of the list that it may mean, most similar first.
    likely: tuple[str, ...]


def unlisted_schools(context: Context, limit: int) -> list[UnlistedSchool]:
    """Return the most frequent of these names."""
    with context.database.session() as session:
        season_id = current_season(session).id
        known, listed = schools_by_key(session, season_id), school_list(session, season_id)
        found = [one for one in taught_schools(session, season_id) if key_of(one.name) not in known]
    return [
        UnlistedSchool(
            one.name,
            one.settled,
            one.counts,
            tuple(name for name, _ in likely_schools(one.name, listed, _LIKELY)),
        )
        for one in found[:limit]
    ]
