"""Bulk decisions: what would change, who is left out, what became of them."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select, update

from core.models import ReviewSuggestionField, Submission, SubmissionField
from services.context import Context
from tests.support.review import desk
from tests.support.review.desk_browser import proposals, statuses
from tests.web.review.test_desk_undo import undo_address

PAGE = "/review/suggestions/bulk"


def items_of(page: str) -> list[str]:
    return re.findall(r'name="item" value="([^"]+)"', page)


def test_the_preview_names_what_another_holds_and_leaves_it_out(signed_in, context: Context, people) -> None:
    urls = proposals(context, "Ana Ruiz", "Theo Okafor")
    signed_in("admin").post(f"{urls[0]}/claim")
    page = signed_in("reviewer").get(PAGE).text
    assert f"open by {people['admin'].display_name}" in page and "1 of them is left out" in page
    assert [item.partition(":")[0] for item in items_of(page)] == [urls[1].rpartition("/")[2]]
    assert "<del> School</del>" in page


def marked(page: str) -> dict[str, list[str]]:
    """The form with every item marked."""
    return {"item": items_of(page), "shown": re.findall(r'name="shown" value="([^"]+)"', page)}


@pytest.mark.parametrize(("action", "status"), [("approve", "resolved"), ("reject", "escalated")])
def test_deciding_and_taking_back(signed_in, context: Context, action: str, status: str) -> None:
    proposals(context, "Ana Ruiz", "Theo Okafor")
    client = signed_in("reviewer")
    form = marked(client.get(PAGE).text)
    page = client.get(client.post(PAGE, data={**form, "action": action}).location).text
    assert "2 proposals decided." in page
    assert set(statuses(context).values()) == {status}
    client.post(undo_address(page))
    assert set(statuses(context).values()) == {"suggested"}
    assert "2 decisions were undone." in client.get("/review/suggestions").text


def test_what_changed_since_the_preview_is_left_out(signed_in, context: Context) -> None:
    urls = proposals(context, "Ana Ruiz", "Theo Okafor", "Luz Ibarra")
    client = signed_in("reviewer")
    form = marked(client.get(PAGE).text)
    signed_in("admin").post(f"{urls[0]}/claim")
    # The last: the admin is led on to the first, and has no other open.
    signed_in("admin").post(urls[2], data={"version": "1", "decide": "reject"})
    page = client.get(client.post(PAGE, data={**form, "action": "approve"}).location).text
    assert "1 proposal decided. 1 was skipped: someone has it open. 1 was skipped: it was decided" in page


@pytest.mark.parametrize("data", [{"action": "approve", "item": "x:1"}, {"item": "x"}, {"action": "burn"}])
def test_a_form_that_is_none(signed_in, data: dict[str, str]) -> None:
    assert signed_in("reviewer").post(PAGE, data=data).status_code == 400


def test_nothing_marked_decides_nothing(signed_in, context: Context) -> None:
    proposals(context, "Ana Ruiz")
    client = signed_in("reviewer")
    assert client.post(PAGE, data={"action": "approve"}).location == PAGE
    assert "nothing was decided" in client.get(PAGE).text


def test_nothing_is_marked_until_asked_for(signed_in, context: Context) -> None:
    proposals(context, "Ana Ruiz", "Theo Okafor")
    client = signed_in("reviewer")
    page = client.get(PAGE).text
    assert page.count('name="item"') == 2 and " checked" not in page
    assert client.get(f"{PAGE}?mark=all").text.count(" checked") == 2


def test_each_change_lies_beside_its_picture(signed_in, context: Context) -> None:
    (url,) = proposals(context, "Ana Ruiz")
    page = signed_in("reviewer").get(PAGE).text
    suggestion = url.rpartition("/")[2]
    assert marked(page)["shown"] == [f"{suggestion}:school_name", f"{suggestion}:grade"]
    assert page.count('class="close-up"') == page.count('loading="lazy"') == 2


def test_a_recognised_value_that_was_not_shown_is_refused(signed_in, context: Context) -> None:
    proposals(context, "Ana Ruiz")
    client = signed_in("reviewer")
    items = items_of(client.get(PAGE).text)
    page = client.get(client.post(PAGE, data={"item": items, "action": "approve"}).location).text
    assert "0 proposals decided. 1 was skipped: the image of a value was not shown." in page
    assert statuses(context) == {"Ana Ruiz": "suggested"}


def test_a_change_without_a_place_is_named_and_refused(signed_in, context: Context) -> None:
    proposals(context, "Ana Ruiz")
    context.database.execute(update(ReviewSuggestionField).values(page=None))
    client = signed_in("reviewer")
    page = client.get(PAGE).text
    assert "it cannot be approved here" in page and not marked(page)["shown"]
    client.post(PAGE, data={**marked(page), "action": "approve"})
    assert statuses(context) == {"Ana Ruiz": "suggested"}


@pytest.mark.parametrize(
    ("preferred", "says", "status"),
    [("as_read", "stays as read", "resolved"), ("neither", "must be reviewed individually", "suggested")],
)
def test_a_worse_value_is_not_approved_with_others(
    signed_in, context: Context, preferred: str, says: str, status: str
) -> None:
    with context.database.session() as session:
        desk.make_doubtful(context, session, student="Ana Ruiz", preferred=preferred)
    client = signed_in("reviewer")
    page = client.get(PAGE).text
    assert says in page and "Dierning UAKS Pree" in page
    client.post(PAGE, data={**marked(page), "action": "approve"})
    assert statuses(context) == {"Ana Ruiz": status}
    assert context.database.scalars(select(Submission.school_name)) == ["Sterling Oaks"]


def confirming(context: Context, **values: object) -> None:
    """A proposal that confirms the school as read, of an entry whose grade is missing without a proposal."""
    with context.database.session() as session:
        given = {"proposed_value": "Sterling Oaks", "preferred": "proposed", **values}
        entry = desk.make_doubtful(context, session, student="Ana Ruiz", **given)
        entry.submission.missing_fields = ["grade"]
        entry.submission.grade = None
        session.execute(
            update(SubmissionField)
            .where(SubmissionField.name == "grade")
            .values(value=None, source=None, confidence=0)
        )


def test_each_value_to_be_confirmed_lies_beside_its_picture_and_what_stays_open_is_named(
    signed_in, context: Context
) -> None:
    confirming(context)
    client = signed_in("reviewer")
    page = client.get(PAGE).text
    assert "confirmed" in page and page.count('class="close-up"') == 1
    assert [name.partition(":")[2] for name in marked(page)["shown"]] == ["school_name"]
    assert "Stays open, so the entry will wait again: Grade" in page
    done = client.get(client.post(PAGE, data={**marked(page), "action": "approve"}).location).text
    assert (
        "1 proposal decided. 1 of them is waiting again: something is still open. 1 entry is still waiting."
        in done
    )
    assert statuses(context) == {"Ana Ruiz": "escalated"}


def test_a_recognised_value_is_not_confirmed_unseen(signed_in, context: Context) -> None:
    confirming(context)
    client = signed_in("reviewer")
    items = items_of(client.get(PAGE).text)
    page = client.get(client.post(PAGE, data={"item": items, "action": "approve"}).location).text
    assert "0 proposals decided. 1 was skipped: the image of a value was not shown." in page
    assert statuses(context) == {"Ana Ruiz": "suggested"}


def test_where_the_proposal_has_no_place_that_of_the_field_is_shown(signed_in, context: Context) -> None:
    confirming(context, page=None)
    assert signed_in("reviewer").get(PAGE).text.count('class="close-up"') == 1


def test_the_result_says_that_nothing_else_waits(signed_in, context: Context) -> None:
    proposals(context, "Ana Ruiz")
    client = signed_in("reviewer")
    form = marked(client.get(PAGE).text)
    page = client.get(client.post(PAGE, data={**form, "action": "approve"}).location).text
    assert "1 proposal decided. Nothing else is waiting." in page
