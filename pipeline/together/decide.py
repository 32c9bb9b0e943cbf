"""Decide the readings of entries that came together: the entry of the joint pass."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pipeline.profiles.declared import alike_fields
from pipeline.together.change import Change, Member
from pipeline.together.common import common_changes
from pipeline.together.families import family_changes


def decide(
    members: Iterable[Member], register: Collection[str] = (), only: Collection[str] | None = None
) -> dict[str, list[Change]]:
    """Return the changes by the id of the entry; an entry without a change is left out.

    `register` holds the names of the schools that the season knows. Of the entries that are not in `only` the
    changes are not asked for; they count. The order of the members, and a member that is given again, change
    nothing.
    """
    by_key = {member.key: member for member in sorted(members, key=lambda member: member.key)}
    asked = [key for key in by_key if only is None or key in only]
    changes: dict[str, list[Change]] = {}
    for name in alike_fields():
        for key, change in common_changes(name, by_key, register, asked).items():
            changes.setdefault(key, []).append(change)
    for key in asked:
        if found := family_changes(by_key[key]):
            changes.setdefault(key, []).extend(found)
    return changes
