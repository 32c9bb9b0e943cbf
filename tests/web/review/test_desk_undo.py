"""Taking back: one decision, the last one, a whole bulk; and what a script is answered."""

from __future__ import annotations

import re

from services.context import Context
from tests.support.review.desk_browser import escalation, proposals, statuses
from tests.web.review.test_desk_filters import APPROVED


def undo_address(page: str) -> str:
    found = re.search(r'action="([^"]*/undo[^"]*)"', page)
    assert found is not None
    return found[1].replace("&amp;", "&")


def test_the_notice_takes_the_decision_back(signed_in, context: Context) -> None:
    (url,) = proposals(context, "Ana Ruiz")
    client = signed_in("reviewer")
    page = client.get(client.post(url, data={**APPROVED, "filter": "grade="}).location).text
    assert "Ana Ruiz: complete." in page
    assert client.post(undo_address(page)).location == f"{url}?undone=1"
    assert statuses(context) == {"Ana Ruiz": "suggested"}
    assert "Ana Ruiz: complete." not in client.get("/review/suggestions").text, "it is told once"


def test_the_last_decision_of_an_escalation(signed_in, context: Context) -> None:
    url = escalation(context)
    client = signed_in("reviewer")
    client.post(url, data={"version": "1", "decide": "reject"})
    assert client.post("/review/undo").location == f"{url}?undone=1"
    assert statuses(context) == {"Marisol Quintero": "escalated"}


def test_nothing_to_take_back(signed_in) -> None:
    client = signed_in("reviewer")
    assert client.post("/review/undo").location == "/review"
    assert "no decision to undo" in client.get("/review/suggestions").text


def test_a_second_time_is_refused(signed_in, context: Context) -> None:
    (url,) = proposals(context, "Ana Ruiz")
    client = signed_in("reviewer")
    address = undo_address(client.get(client.post(url, data=APPROVED).location).text)
    assert [client.post(address).status_code for _ in range(2)] == [302, 409]


def test_a_script_is_told_where_to_go_on(signed_in, context: Context) -> None:
    urls = proposals(context, "Ana Ruiz", "Theo Okafor")
    answer = signed_in("reviewer").post(urls[0], data=APPROVED, headers={"Accept": "application/json"}).json
    assert answer["next"] == urls[1]
    assert "Ana Ruiz: complete." in answer["notice"] and "/undo" in answer["notice"]
