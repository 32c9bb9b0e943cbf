"""Schools that a written name may mean, with the list prepared once however often it is asked."""

from __future__ import annotations

from pipeline.extraction.values import names
from services.context import Context
from services.school_lists import import_schools
from services.school_names import MAX_NAME, likely_schools
from services.schools import add_school, remove_alias


def test_a_list_is_prepared_once_and_again_when_it_changes(context: Context) -> None:
    import_schools(context, "name,aliases,city\nJuniper Hill School,The Hill,Amberly\nQuail Run Academy,,\n")
    likely_schools(context, "Junipr Hill")
    before = names._prepared.cache_info().misses
    found = [likely_schools(context, text) for text in ("Junipr Hill", "the hill", "Quayle Run Academy")]
    assert names._prepared.cache_info().misses == before
    assert [one.nearest for one in found] == ["Juniper Hill School", None, None]
    assert [one.listed.name if one.listed else None for one in found] == [None, "Juniper Hill School", None]
    assert [one.schools[0].name for one in found[::2]] == ["Juniper Hill School", "Quail Run Academy"]
    assert found[0].schools[0].city == "Amberly" and found[0].schools[0].id is not None

    add_school(context, "Quayle Run Academy")
    listed = likely_schools(context, "Quayle Run Academy").listed
    assert listed is not None and listed.name == "Quayle Run Academy"
    remove_alias(context, "Juniper Hill School", "The Hill")
    assert likely_schools(context, "the hill").listed is None


def test_of_a_text_without_end_only_the_beginning_is_compared(context: Context) -> None:
    add_school(context, "Juniper Hill School")
    found = likely_schools(context, "Juniper Hill School" + " x" * 10_000)
    assert len(found.text) <= MAX_NAME and found.schools[0].name == "Juniper Hill School"
