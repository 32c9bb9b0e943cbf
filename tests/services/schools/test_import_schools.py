"""A school list from CSV: all of it or nothing, and every bad row named."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event, select

from core.errors import BusyError, InvalidInputError
from core.models import Season
from services.context import Context
from services.school_lists import ImportedSchool, import_schools, read_school_file
from services.schools import ListedSchool, add_school, list_schools


def test_city_and_district_follow_the_file_where_it_has_them(context: Context) -> None:
    import_schools(context, "name,city,district\nFoxglove,Amberly,District 4\n")
    done = import_schools(context, "Name,City,aliases\nFOXGLOVE,Tamarack,Fox;Glove\n")
    assert done.schools == (ImportedSchool(2, "Foxglove", False, ("Fox", "Glove"), ()),)
    assert (done.added, done.known, done.aliases) == (0, 1, 2)
    again = import_schools(context, "name,aliases\nFoxglove,fox;Foxy\nQuail,\n")
    assert again.schools == (
        ImportedSchool(2, "Foxglove", False, ("Foxy",), ("fox",)),
        ImportedSchool(3, "Quail", True, (), ()),
    )
    assert list_schools(context) == [
        ListedSchool("Foxglove", "Tamarack", "District 4", ("Fox", "Foxy", "Glove")),
        ListedSchool("Quail", None, None, ()),
    ]


def file_of(number: int, first: int = 0) -> str:
    rows = [f"Foxglove {chr(97 + n % 26)} {n},Fox {n};Glove {n},Amberly" for n in range(first, first + number)]
    return "\n".join(["name,aliases,city", *rows])


def test_a_long_list_takes_as_many_statements_as_a_short_one(context: Context) -> None:
    def statements(text: str) -> int:
        sent: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
            sent.append(statement)

        event.listen(context.database.engine, "before_cursor_execute", note)
        try:
            import_schools(context, text)
        finally:
            event.remove(context.database.engine, "before_cursor_execute", note)
        return len(sent)

    import_schools(context, file_of(2))
    assert statements(file_of(4)) == statements(file_of(300, first=2))
    assert len(list_schools(context)) == 302
    with pytest.raises(InvalidInputError, match=r"at most 10,000 schools; this one has 10,001"):
        import_schools(context, file_of(10_001))
    with pytest.raises(InvalidInputError, match=r"this one has 30,000"):
        read_school_file("name\n" + "-\n" * 30_000)


def test_who_waits_long_for_another_change_of_the_list_is_told(context: Context) -> None:
    add_school(context, "Foxglove")
    with context.database.session() as session:
        session.execute(select(Season.id).with_for_update(key_share=True))
        with pytest.raises(BusyError, match="someone else is changing the school list"):
            add_school(context, "Quail")
    assert [school.name for school in list_schools(context)] == ["Foxglove"]


def test_a_row_over_several_lines_and_empty_lines(context: Context) -> None:
    text = 'name,city\n\n"Quail\nRun",Amberly\n\n,\n,Tamarack\n'
    with pytest.raises(InvalidInputError, match=r"\n  line 7: the school has no name$"):
        import_schools(context, text)
    import_schools(context, text.removesuffix(",Tamarack\n"))
    assert [school.name for school in list_schools(context)] == ["Quail Run"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the school list has no column `name`"),
        ("school,city\nFoxglove,Amberly\n", "line 1: the school list has no column `name`"),
        ("name,town\nFoxglove,Amberly\n", "line 1: the columns can be name, aliases, city, district"),
        ("name\nFoxglove\nQuail, Run\n", "line 3: more cells than columns"),
        ("name,city\nFoxglove,A\n ,Amberly\n", "line 3: the school has no name"),
        ('name\nFoxglove\n"Quail\n', "line 3: this is not CSV"),
        ("name\nFoxglove\nQuail\nfoxglove\n", "line 4: “foxglove” is already on line 2"),
        ("name,aliases\nFoxglove,Fox\nQuail,Q;fox\n", "line 3: “fox” already means “Foxglove” (line 2)"),
        ("name,aliases\nFoxglove,Quail\nQuail,\n", "line 2: “Quail” already means “Quail” (line 3)"),
        ("name,aliases\nQuail,Juniper\n", "line 2: “Juniper” already means “Juniper”"),
        ("name\n" + "x" * 201 + "\n", "line 2: a school's name has at most 200 characters; this one has 201"),
    ],
)
def test_a_bad_file_is_refused_whole(context: Context, text: str, said: str) -> None:
    add_school(context, "Juniper")
    with pytest.raises(InvalidInputError) as refused:
        import_schools(context, text)
    assert said in refused.value.detail
    assert [school.name for school in list_schools(context)] == ["Juniper"]


def test_of_many_bad_rows_the_first_are_named(context: Context) -> None:
    with pytest.raises(InvalidInputError) as refused:
        import_schools(context, "name,city\n" + ",Amberly\n" * 14)
    assert refused.value.detail.endswith("line 11: the school has no name\n  and 4 more")
