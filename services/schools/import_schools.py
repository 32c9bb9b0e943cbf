"""Import the school list of the current season from CSV."""

from __future__ import annotations

import csv
import io

from sqlalchemy.dialects.postgresql import insert

from core.errors import InvalidInputError
from core.models import School, SchoolAlias
from pipeline.extraction.values.text import plain
from services.context import Context
from services.seasons import current_season

_ALIAS_SEPARATOR = ";"


def import_schools(context: Context, text: str) -> int:
    """Add the schools of a CSV with the columns name, aliases (separated by `;`), city, district.

    A school that is there already gets the new city, district and aliases. Returns how many rows were read.
    Raises InvalidInputError when the column `name` is missing.
    """
    reader = csv.DictReader(io.StringIO(text))
    if "name" not in (reader.fieldnames or ()):
        raise InvalidInputError("the school list has no column `name`")
    count = 0
    with context.database.session() as session:
        season_id = current_season(session).id
        for row in reader:
            name = (row["name"] or "").strip()
            if not name:
                continue
            values = {"city": row.get("city") or None, "district": row.get("district") or None}
            school_id = session.scalar(
                insert(School)
                .values(season_id=season_id, name=name, name_key=plain(name), **values)
                .on_conflict_do_update(index_elements=["season_id", "name_key"], set_=values)
                .returning(School.id)
            )
            for alias in (row.get("aliases") or "").split(_ALIAS_SEPARATOR):
                if alias.strip():
                    session.execute(
                        insert(SchoolAlias)
                        .values(school_id=school_id, alias=alias.strip(), alias_key=plain(alias))
                        .on_conflict_do_nothing()
                    )
            count += 1
    return count
