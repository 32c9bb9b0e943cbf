"""Changes of the school list: a name means one school, whoever else changes the list at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import InvalidInputError, NotFoundError
from core.models import Submission
from services.context import Context
from services.school_names import key_of, locked_school_list, schools_by_key
from services.schools import (
    ListedSchool,
    MergedSchools,
    add_alias,
    add_school,
    list_schools,
    merge_schools,
    remove_alias,
)
from tests.support import factories


def test_a_name_means_one_school_when_two_people_give_it_at_once(context: Context) -> None:
    for school in ("Juniper Hill", "Juniper Park"):
        add_school(context, school)
    with ThreadPoolExecutor(1) as other:
        with context.database.session() as session:
            owner = schools_by_key(session, locked_school_list(session))[key_of("Juniper Hill")]
            factories.make_school_alias(session, owner, "Juniper")
            later = other.submit(add_alias, context, "Juniper Park", "Juniper")
            with pytest.raises(TimeoutError):
                later.result(timeout=0.5)
        with pytest.raises(InvalidInputError, match="“Juniper” already means “Juniper Hill”"):
            later.result(timeout=30)


def test_a_merge_keeps_what_both_are_written_by_and_what_entries_have(context: Context) -> None:
    add_school(context, "Juniper Hill", district="District 4")
    add_school(context, "Juniper Hil", "Amberly", "District 5")
    add_alias(context, "Juniper Hill", "J.H.")
    add_alias(context, "Juniper Hil", "JH")
    with context.database.session() as session:
        factories.make_submission(session, school_name="Juniper Hil")
    assert merge_schools(context, "jh", "j.h.") == MergedSchools("Juniper Hil", "Juniper Hill", 2)
    assert list_schools(context) == [
        ListedSchool("Juniper Hill", "Amberly", "District 4", ("J.H.", "JH", "Juniper Hil"))
    ]
    with context.database.session() as session:
        assert session.query(Submission.school_name).scalar() == "Juniper Hil"


def test_what_cannot_be_merged_or_removed(context: Context) -> None:
    add_school(context, "Juniper Hill")
    add_alias(context, "Juniper Hill", "J.H.")
    with pytest.raises(InvalidInputError, match="are already one school"):
        merge_schools(context, "J.H.", "Juniper Hill")
    with pytest.raises(NotFoundError, match=r"is named “Foxglove”$"):
        merge_schools(context, "Foxglove", "Juniper Hill")
    with pytest.raises(NotFoundError, match="“Fox” is not another spelling of “Juniper Hill”"):
        remove_alias(context, "Juniper Hill", "Fox")
    with pytest.raises(NotFoundError):
        remove_alias(context, "Juniper Hill", "Juniper Hill")
    assert list_schools(context) == [ListedSchool("Juniper Hill", None, None, ("J.H.",))]
