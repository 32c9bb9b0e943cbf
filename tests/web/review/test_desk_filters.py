"""The filters of the queues: in the address, kept by every decision, and done when nothing is left."""

from __future__ import annotations

import pytest

from services.context import Context
from tests.support.review import desk
from tests.support.review.desk_browser import proposals

APPROVED = {"version": "1", "decide": "approve", "action-grade": "approve", "action-school_name": "approve"}
NARROWED = "reason=MISSING_GRADE&min_confidence=0.5"


@pytest.mark.parametrize(
    "query",
    [
        "reason=MISSING_GRADE",
        "field=school_name",
        "school=Lakeview+Elementary+School",
        "min_confidence=0.7&max_confidence=0.8",
        "is_empty=no",
        "status=pending",
    ],
)
def test_a_filter_that_fits(signed_in, context: Context, query: str) -> None:
    proposals(context, "Ana Ruiz")
    page = signed_in("reviewer").get(f"/review/suggestions?{query}").text
    assert "Ana Ruiz" in page and f"?{query.split('&')[0]}" in page, "the links keep it"


@pytest.mark.parametrize(
    "query", ["reason=SHORT_ESSAY", "field=email", "max_confidence=0.2", "status=approved", "is_empty=yes"]
)
def test_a_filter_that_fits_nothing(signed_in, context: Context, query: str) -> None:
    proposals(context, "Ana Ruiz")
    page = signed_in("reviewer").get(f"/review/suggestions?{query}").text
    assert "Ana Ruiz" not in page and "Nothing in the queue matches this filter." in page


@pytest.mark.parametrize("query", ["min_confidence=much", "batch=none", "is_empty=perhaps"])
def test_nonsense_narrows_nothing(signed_in, context: Context, query: str) -> None:
    proposals(context, "Ana Ruiz")
    assert "Ana Ruiz" in signed_in("reviewer").get(f"/review/suggestions?{query}").text


def test_a_decision_keeps_the_filter(signed_in, context: Context) -> None:
    urls = proposals(context, "Ana Ruiz", "Theo Okafor")
    client = signed_in("reviewer")
    assert f'name="filter" value="{NARROWED.replace("&", "&amp;")}"' in client.get(f"{urls[0]}?{NARROWED}").text
    response = client.post(urls[0], data={**APPROVED, "filter": NARROWED})
    assert response.location == f"{urls[1]}?{NARROWED}"
    response = client.post(urls[1], data={**APPROVED, "filter": NARROWED})
    assert response.location == f"/review?done=1&{NARROWED}"
    page = client.get(response.location).text
    assert "The queue is empty." in page and "Theo Okafor: complete." in page


def test_neighbours_are_those_of_the_filter(signed_in, context: Context) -> None:
    urls = proposals(context, "Ana Ruiz", "Theo Okafor", "Luz Ibarra")
    page = signed_in("reviewer").get(f"{urls[1]}?{NARROWED}").text
    for url in (urls[0], urls[2]):
        assert f'href="{url}?{NARROWED.replace("&", "&amp;")}"' in page
    assert (
        f'href="{urls[0]}?reason=SHORT_ESSAY"'
        not in signed_in("reviewer").get(f"{urls[1]}?reason=SHORT_ESSAY").text
    )


def test_escalations_are_narrowed_and_settled_in_the_same_way(signed_in, context: Context) -> None:
    urls = []
    for name in ("Ana Ruiz", "Theo Okafor"):
        with context.database.session() as session:
            entry = desk.make_escalated(context, session, student_name=name)
        assert entry.escalation is not None
        urls.append(f"/review/escalations/{entry.escalation.id}/of/{entry.submission.id}")
    client = signed_in("reviewer")
    assert "Nothing in the queue matches" in client.get("/review/escalations?reason=SHORT_ESSAY").text
    assert client.get("/review/escalations/first?field=grade").location == (
        f"{urls[0]}?field=grade&kind=escalation"
    )
    response = client.post(
        urls[0],
        data={"version": "1", "decide": "reject"},
        headers={"Referer": f"http://localhost{urls[0]}?field=grade"},
    )
    assert response.location == f"{urls[1]}?field=grade"
