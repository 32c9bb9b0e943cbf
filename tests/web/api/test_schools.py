"""The schools for other programs."""

from __future__ import annotations

from services.context import Context
from services.schools import ListedSchool, list_schools


def test_schools_are_added_found_spelled_and_merged(api, context: Context) -> None:
    reviewer = api("reviewer")
    assert reviewer.post("/schools", json={"name": "Juniper  Hill", "city": "Amberly"}).json == {
        "name": "Juniper Hill"
    }
    assert reviewer.post("/schools", json={"name": "Juniper Hil"}).status_code == 201
    assert reviewer.post("/schools/aliases", json={"school": "juniper hil", "alias": "J.H."}).status_code == 201
    found = reviewer.get("/schools/likely?text=Junipr+Hill").json
    assert found["listed"] is None
    assert [one["name"] for one in found["schools"]] == ["Juniper Hill", "Juniper Hil"]
    merge = {"duplicate": "j.h.", "into": "Juniper Hill"}
    assert reviewer.post("/schools/merge", json=merge).status_code == 403
    assert api("admin").post("/schools/merge", json=merge).json == {
        "merged": "Juniper Hil",
        "into": "Juniper Hill",
        "aliases": 2,
    }
    assert list_schools(context) == [ListedSchool("Juniper Hill", "Amberly", None, ("J.H.", "Juniper Hil"))]


def test_pages_of_the_list(api) -> None:
    client = api("reviewer")
    for name in ("Foxglove", "Juniper", "Quail Run"):
        client.post("/schools", json={"name": name})
    first = client.get("/schools?limit=2").json
    assert [row["name"] for row in first["rows"]] == ["Foxglove", "Juniper"]
    second = client.get(f"/schools?limit=2&cursor={first['next']}").json
    assert [row["name"] for row in second["rows"]] == ["Quail Run"] and second["next"] is None
    assert client.get(f"/schools?limit=2&cursor={second['previous']}").json["rows"] == first["rows"]


def test_what_is_refused(api) -> None:
    client = api("reviewer")
    client.post("/schools", json={"name": "Foxglove"})
    again = client.post("/schools", json={"name": "foxglove"})
    assert again.status_code == 422 and "“foxglove” already means “Foxglove”" in again.json["detail"]
    unknown = client.post("/schools/aliases", json={"school": "Foxglov", "alias": "F"})
    assert unknown.status_code == 404 and "did you mean “Foxglove”" in unknown.json["detail"]
