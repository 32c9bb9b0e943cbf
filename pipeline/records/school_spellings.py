"""Which school the name in an entry means: each spelling once a season, as names are written and lists change."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from sqlalchemy import delete, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.models import School, SchoolAlias, SchoolSpelling, Season, Submission
from pipeline.extraction.values.schools import ListedNames
from pipeline.extraction.values.text import plain

#: The names in the season's entries, each found by the index from the one before.
_WRITTEN = text(
    """
    with recursive written (name) as (
      (select min(school_name) from submissions where season_id = :season)
      union all
      select (select min(s.school_name) from submissions s where s.season_id = :season and s.school_name > w.name)
        from written w where w.name is not null
    )
    select name from written where name is not null
    """
)


def note_spelling(session: Session, season_id: uuid.UUID, spelling: str) -> None:
    """Have a name, as an entry has it now, among the spellings of the season."""
    row = insert(SchoolSpelling).values(season_id=season_id, spelling=spelling, school_key=plain(spelling))
    if session.scalar(row.on_conflict_do_nothing().returning(SchoolSpelling.spelling)) is None:
        return
    # Whoever changes the list has it locked, and does not see this spelling yet.
    session.execute(select(Season.id).where(Season.id == season_id).with_for_update(read=True))
    _settle(session, season_id, [spelling])


def settle_spellings(session: Session, season_id: uuid.UUID) -> None:
    """Bring the spellings in line with the season's entries, and its list, which the caller has locked."""
    session.flush()
    written = list(session.scalars(_WRITTEN, {"season": season_id}))
    if written:
        rows = [{"season_id": season_id, "spelling": name, "school_key": plain(name)} for name in written]
        session.execute(insert(SchoolSpelling).on_conflict_do_nothing(), rows)
    forget_spellings(session, season_id)
    _settle(session, season_id)


def forget_spellings(session: Session, season_id: uuid.UUID) -> None:
    """Delete the spellings that no entry of the season has any more."""
    used = select(Submission.id).where(
        Submission.season_id == season_id, Submission.school_name == SchoolSpelling.spelling
    )
    session.execute(
        delete(SchoolSpelling).where(SchoolSpelling.season_id == season_id, ~used.exists()),
        execution_options={"synchronize_session": False},
    )


def _settle(session: Session, season_id: uuid.UUID, only: Collection[str] | None = None) -> None:
    """Give spellings the schools of the list that they mean."""
    schools: dict[str, list[str]] = {}
    keys: dict[str, tuple[str, uuid.UUID]] = {}
    rows = session.execute(
        select(School.name, School.name_key, School.id, SchoolAlias.alias)
        .outerjoin(SchoolAlias, SchoolAlias.school_id == School.id)
        .where(School.season_id == season_id)
    )
    for name, key, school_id, alias in rows:
        keys[name] = (key, school_id)
        schools.setdefault(name, []).extend([alias] if alias is not None else [])
    listed = ListedNames(schools)
    query = select(SchoolSpelling.spelling, SchoolSpelling.school_key, SchoolSpelling.school_id).where(
        SchoolSpelling.season_id == season_id
    )
    if only is not None:
        query = query.where(SchoolSpelling.spelling.in_(only))
    for spelling, *stood in session.execute(query).all():
        meant = listed.meant(spelling)
        means = (plain(spelling), None) if meant is None else keys[meant]
        if tuple(stood) != means:
            session.execute(
                update(SchoolSpelling)
                .where(SchoolSpelling.season_id == season_id, SchoolSpelling.spelling == spelling)
                .values(school_key=means[0], school_id=means[1]),
                execution_options={"synchronize_session": False},
            )
