"""Holds: taken by a form or a script, shown to others, given back."""

from __future__ import annotations

import pytest

from core.models import Escalation, ReviewSuggestion
from services.context import Context
from tests.support.review.desk_browser import escalation, proposals, run_out

JSON = {"Accept": "application/json"}


@pytest.fixture(params=["suggestion", "escalation"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def url(context: Context, kind: str) -> str:
    """The page of one item."""
    return proposals(context, "Ana Ruiz")[0] if kind == "suggestion" else escalation(context)


def status_url(url: str) -> str:
    """Where a script looks who has it, and gives it back."""
    return url.partition("/of/")[0]


def test_opening_a_page_holds_nothing(signed_in, url: str) -> None:
    signed_in("reviewer").get(url)
    assert signed_in("admin").get(f"{url}/claim").json["free"] is True


def test_a_hold_is_shown_to_others(signed_in, url: str, people) -> None:
    assert signed_in("reviewer").post(f"{url}/claim", headers=JSON).json["mine"] is True
    told = signed_in("admin").post(f"{url}/claim", headers=JSON).json
    assert told["mine"] is False and told["sentence"].startswith(
        f"{people['reviewer'].display_name} has this open"
    )
    page = signed_in("admin").get(url).text
    assert f"{people['reviewer'].display_name} has this open until" in page
    queue = "/".join(url.split("/")[:3])
    assert f"open by {people['reviewer'].display_name}" in signed_in("auditor").get(queue).text


def test_a_form_holds_and_goes_to_the_page(signed_in, url: str) -> None:
    assert signed_in("reviewer").post(f"{url}/claim").location == url


def test_what_is_given_back_is_free(signed_in, url: str) -> None:
    client = signed_in("reviewer")
    client.post(f"{url}/claim", headers=JSON)
    assert client.post(f"{status_url(url)}/release").status_code == 204
    assert signed_in("admin").post(f"{url}/claim", headers=JSON).json["mine"] is True


def test_what_has_run_out_may_be_taken(signed_in, url: str, context: Context, kind: str) -> None:
    signed_in("reviewer").post(f"{url}/claim", headers=JSON)
    run_out(context, ReviewSuggestion if kind == "suggestion" else Escalation)
    admin = signed_in("admin")
    assert admin.get(f"{url}/claim").json["free"] is True
    assert admin.post(f"{url}/claim", headers=JSON).json["mine"] is True


def test_deciding_what_another_has_open_is_refused_with_the_text(signed_in, url: str, kind: str) -> None:
    signed_in("reviewer").post(f"{url}/claim", headers=JSON)
    decide = "approve" if kind == "suggestion" else "settle"
    data = {"version": "1", "decide": decide, "value-grade": "4", "reason": "looks like a four"}
    response = signed_in("admin").post(url, data=data)
    assert response.status_code == 409 and "looks like a four" in response.text


def test_a_decided_item_is_held_by_nobody(signed_in, url: str) -> None:
    signed_in("reviewer").post(url, data={"version": "1", "decide": "reject"})
    response = signed_in("admin").post(f"{url}/claim", headers=JSON)
    assert response.status_code == 409


@pytest.mark.parametrize("ahead", [False, True])
def test_the_next_item_is_held_unless_the_page_has_it_already(signed_in, context: Context, ahead: bool) -> None:
    """A page that shows the next item released it, perhaps, before its decision came in: it stays released."""
    url, following = proposals(context, "Ana Ruiz", "Theo Okafor")
    client = signed_in("reviewer")
    for asked in ("claim", "release"):
        client.post(f"{following}/{asked}", headers=JSON)
    data = {"version": "1", "decide": "approve", **({"ahead": "1"} if ahead else {})}
    assert client.post(url, data=data, headers=JSON).json["next"] == following
    assert signed_in("admin").get(f"{following}/claim").json["free"] is ahead


def test_a_repeated_answer_holds_nothing(signed_in, context: Context) -> None:
    url, following = proposals(context, "Ana Ruiz", "Theo Okafor")
    client = signed_in("reviewer")
    client.post(url, data={"version": "1", "decide": "approve", "ahead": "1"}, headers=JSON)
    assert client.get(f"{url}?version=1", headers=JSON).json["next"] == following
    assert signed_in("admin").get(f"{following}/claim").json["free"] is True
