"""The pages of the schools: who may do what, what is refused and why, and what an import tells."""

from __future__ import annotations

import io
import re

import pytest
from flask.testing import FlaskClient

from services.context import Context
from services.school_names import search_schools
from services.schools import ListedSchool, add_alias, add_school, list_schools
from tests.support import factories


def upload(client: FlaskClient, text: str | bytes):
    data = text if isinstance(text, bytes) else text.encode()
    return client.post("/schools/import", data={"file": (io.BytesIO(data), "schools.csv")})


def test_an_empty_list_says_what_to_do(signed_in) -> None:
    assert "Import the list of your district" in signed_in("admin").get("/schools").text
    reviewer = signed_in("reviewer").get("/schools").text
    assert "ask an admin to import a list" in reviewer and "Import a list" not in reviewer
    assert "Add a school" not in signed_in("auditor").get("/schools").text


def test_adding_finding_and_other_spellings(signed_in, context: Context) -> None:
    client = signed_in("reviewer")
    page = client.post("/schools", data={"name": "Juniper  Hill", "city": "Amberly"}, follow_redirects=True).text
    assert "“Juniper Hill” is now on the list." in page
    assert client.post("/schools/aliases", data={"school": "juniper hill", "alias": "J.H."}).status_code == 302
    assert list_schools(context) == [ListedSchool("Juniper Hill", "Amberly", None, ("J.H.",))]
    for query in ("j.h", "HILL"):
        assert "1" in re.findall(
            r'"Other spellings" class="number">(\d+)<', client.get(f"/schools?q={query}").text
        )
    page = client.get("/schools?q=Junipr Hil").text
    assert "No school on the list has" in page and "Did you mean:" in page and "Juniper Hill</bdi>" in page


def test_a_refused_form_is_shown_again_with_what_was_typed(signed_in, context: Context) -> None:
    add_school(context, "Juniper Hill")
    client = signed_in("admin")
    refused = client.post("/schools", data={"name": "juniper hill", "city": "Tamarack"})
    assert refused.status_code == 400
    assert "“juniper hill” already means “Juniper Hill”" in refused.text and 'value="Tamarack"' in refused.text
    [row] = search_schools(context).rows
    form = {"of": row.id, "duplicate": row.name, "into": "Foxglov"}
    refused = client.post("/schools/merge", data=form)
    assert refused.status_code == 404 and "no school on the list is named “Foxglov”" in refused.text
    assert 'value="Foxglov"' in refused.text and "Merge with another school" in refused.text


def test_a_refused_name_comes_back_no_longer_than_its_field(signed_in) -> None:
    refused = signed_in("reviewer").post("/schools", data={"name": "Juniper " * 20_000})
    assert refused.status_code == 400
    assert "Juniper " * 20 in refused.text and refused.text.count("Juniper") < 60


def test_merging_and_taking_a_spelling_away(signed_in, context: Context) -> None:
    for name in ("Juniper Hill", "Juniper Hil"):
        add_school(context, name)
    client = signed_in("admin")
    merged = client.post("/schools/merge", data={"duplicate": "Juniper Hil", "into": "Juniper Hill"})
    assert merged.location == "/schools?q=Juniper+Hill"
    gone = {"school": "Juniper Hill", "alias": "Juniper Hil"}
    page = client.post("/schools/aliases/remove", data=gone, follow_redirects=True).text
    assert "is no longer a spelling of “Juniper Hill”" in page
    assert list_schools(context) == [ListedSchool("Juniper Hill", None, None, ())]
    assert "is not another spelling of" in client.post("/schools/aliases/remove", data=gone).text


@pytest.mark.parametrize("path", ["/schools/merge", "/schools/aliases/remove", "/schools/import"])
def test_a_reviewer_neither_merges_nor_removes_nor_imports(signed_in, path: str) -> None:
    assert signed_in("reviewer").post(path).status_code == 403


def test_an_import_tells_of_each_row(signed_in, context: Context) -> None:
    add_school(context, "Foxglove")
    add_alias(context, "Foxglove", "Fox")
    page = upload(signed_in("admin"), "name,aliases\nFoxglove,Fox\nQuail Run,Quail;QR\n").text
    told = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "1 school was added. 1 was already on the list. 2 new spellings." in told
    assert "Skipped: already on the list, with all of these spellings. Skipped, already known: Fox" in told
    assert "Quail Run Added. New: Quail; QR" in told


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name\nFoxglove\nQuail, Run\n", "line 3: more cells than columns"),
        ("name,city\nFoxglove,a\0b\n", "not UTF-8 text"),
        ("name,city\nFoxglove,A\n ,Amberly\n", "line 3: the school has no name"),
        ("name\nDos Ríos\n".encode("latin-1"), "not UTF-8 text"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        ("", "line 1: the school list has no column"),
    ],
)
def test_a_bad_file_is_refused_with_its_lines(
    signed_in, context: Context, content: str | bytes, said: str
) -> None:
    refused = upload(signed_in("admin"), content)
    assert refused.status_code == 400
    assert said in refused.text
    assert list_schools(context) == []


def test_no_file(signed_in) -> None:
    assert "choose the CSV file" in signed_in("admin").post("/schools/import").text


def test_pages_of_the_list_by_name(signed_in, context: Context) -> None:
    with context.database.session() as session:
        for number in range(60):
            factories.make_school(session, name=f"School {number:03}")
    client = signed_in("reviewer")
    first = client.get("/schools").text
    forward = re.search(r'rel="next" href="([^"]+)"', first)
    assert forward and "School 049" in first and "School 050" not in first
    second = client.get(forward[1]).text
    assert "School 050" in second and "School 059" in second
    back = re.search(r'rel="prev" href="([^"]+)"', second)
    assert back and "School 000" in client.get(back[1]).text
    assert client.get("/schools?page=nonsense").status_code == 400


def test_what_settled_entries_have_and_the_list_has_not(signed_in, context: Context) -> None:
    add_school(context, "Juniper Hill Elementary School")
    with context.database.session() as session:
        for name in ("Juniper Hil Elem", "Foxglove", "Foxglove", "juniper hill elementary school"):
            factories.make_submission(session, status="completed", school_name=name)
    page = signed_in("reviewer").get("/schools").text
    listed, unlisted = page.split("In settled entries but not on the list")
    assert '"Settled entries" class="number">1<' in listed
    assert unlisted.index("Foxglove") < unlisted.index("Juniper Hil Elem") and unlisted.count(">known<") == 1
    assert '<option value="Juniper Hill Elementary School">' in unlisted


def test_what_the_picker_asks_for(signed_in, context: Context) -> None:
    add_school(context, "Sterling Oaks Preparatory", "Amberly")
    add_alias(context, "Sterling Oaks Preparatory", "SOP")
    with context.database.session() as session:
        for _ in range(2):
            factories.make_submission(session, status="completed", school_name="Stirling Park School")
    client = signed_in("reviewer")
    found = client.get("/schools/likely", query_string={"text": "Sterlin Oaks"}).json
    assert found["listed"] is None and found["nearest"] is None
    assert [(one["name"], one["city"], one["id"] is None) for one in found["schools"]] == [
        ("Sterling Oaks Preparatory", "Amberly", False),
        ("Stirling Park School", None, True),
    ]
    # Its word is closer to another school, as a part of a name is: what is only misspelled comes first.
    add_school(context, "Sterling Oaks")
    for text in ("Sterlin Oaks Preparatry", "Sterling Oaks Preparatoyr School"):
        found = client.get("/schools/likely", query_string={"text": text}).json
        assert found["schools"][0]["name"] == found["nearest"] == "Sterling Oaks Preparatory"
    assert client.get("/schools/likely?text=sop").json["listed"]["name"] == "Sterling Oaks Preparatory"
    assert client.get("/schools/likely").json == {"listed": None, "nearest": None, "schools": [], "text": ""}


def test_a_script_is_answered_in_json(signed_in, context: Context) -> None:
    client, wants = signed_in("reviewer"), {"Accept": "application/json"}
    added = client.post("/schools", data={"name": "Foxglove"}, headers=wants)
    assert added.json == {"name": "Foxglove", "sentence": "“Foxglove” is now on the list."}
    again = client.post("/schools", data={"name": "Foxglove"}, headers=wants)
    assert (again.status_code, again.json["error"]["message"]) == (400, "“Foxglove” already means “Foxglove”")
