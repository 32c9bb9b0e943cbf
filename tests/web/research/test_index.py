from __future__ import annotations

import re

import pytest

from core.models import Profile
from services.context import Context
from tests.support.research.reports import make_finished_report, make_report, make_running_report


@pytest.fixture
def reports(context: Context, people: dict[str, Profile]) -> None:
    with context.database.session() as session:
        make_finished_report(session, people["officer"], query="What do breakfasts cost?")
        make_running_report(session, people["reviewer"], query="Who reads to whom?", is_sample=True)
        make_report(session, people["officer"], query="¿Qué hacen?", language="es", tier="quick")


def questions(page: str) -> list[str]:
    return re.findall(r'class="row-link"[^>]*>([^<]*)</a>', page)


def test_what_a_line_shows(signed_in, reports: None) -> None:
    page = signed_in("auditor").get("/research").text
    assert {*questions(page)} == {"¿Qué hacen?", "Who reads to whom?", "What do breakfasts cost?"}
    assert "$0.42" in page and "Round 2: filling gaps" in page and ">Sample<" in page
    assert 'lang="es">¿Qué hacen?' in page


@pytest.mark.parametrize(
    ("address", "count"),
    [
        ("status=done", 1),
        ("type=catalog", 1),
        ("tier=quick", 1),
        ("mine=yes", 2),
        ("q=BREAKFASTS", 1),
        ("q=breakfasts&status=running", 0),
        ("status=nothing-such&type=x&tier=y", 3),
    ],
)
def test_the_address_narrows_it(signed_in, reports: None, address: str, count: int) -> None:
    page = signed_in("officer").get(f"/research?{address}").text
    assert len(questions(page)) == count
    assert ("No reports match." in page) == (count == 0)


def test_an_empty_list_says_what_to_do(signed_in) -> None:
    page = signed_in("officer").get("/research").text
    assert "No reports yet." in page and page.count("/research/new?query=") == 2
    assert (
        "Reports requested by program officers, reviewers, and admins"
        in signed_in("auditor").get("/research").text
    )


def test_a_page_that_does_not_exist(signed_in) -> None:
    assert signed_in("officer").get("/research?page=none").status_code == 400


@pytest.mark.parametrize(
    ("role", "areas"),
    [
        ("uploader", ["Upload", "My entries"]),
        ("officer", ["To decide", "Reports", "Library"]),
        (
            "reviewer",
            [
                "Upload",
                "Entries",
                "To decide",
                "Duplicates",
                "Letters",
                "Exports",
                "Schools",
                "Reports",
                "Library",
            ],
        ),
        (
            "auditor",
            [
                "Entries",
                "To decide",
                "Duplicates",
                "Letters",
                "Exports",
                "Schools",
                "Reports",
                "Library",
                "Audits",
                "Supervisor",
                "Events",
            ],
        ),
    ],
)
def test_areas_of_each_role(signed_in, role: str, areas: list[str]) -> None:
    page = signed_in(role).get("/tokens").text
    nav = page.split('<nav class="areas"')[1].split('<div class="who"')[0]
    assert [text.strip() for text in re.findall(r">([^<>]+)</a>", nav)] == areas


def test_the_area_that_is_open_is_marked_once(signed_in) -> None:
    for address, area in (
        ("/research", "Reports"),
        ("/research/new", "Reports"),
        ("/research/library", "Library"),
    ):
        page = signed_in("officer").get(address).text
        assert re.findall(r'aria-current="page">([^<]*)<', page) == [area]


def test_an_officer_begins_with_the_reports(signed_in) -> None:
    assert signed_in("officer").get("/").location == "/research"
