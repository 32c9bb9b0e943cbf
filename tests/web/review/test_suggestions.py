"""Proposals: the queue, one item, and the decision, by plain forms."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

import web.review
from core.models import ReviewSuggestion, ReviewSuggestionField, Submission
from lab.bench.statements import listed
from pipeline.supabase_db import update_record
from services.context import Context
from tests.support import factories
from tests.support.review import desk


@pytest.fixture
def proposal(context: Context, people) -> desk.Entry:
    with context.database.session() as session:
        return desk.make_proposal(context, session, people["uploader"])


def url_of(entry: desk.Entry) -> str:
    assert entry.suggestion is not None
    return f"/review/suggestions/{entry.suggestion.id}"


def answers(**changes: str) -> dict[str, str]:
    """The form as the page has it before anybody touches it."""
    untouched = {
        "version": "1",
        "action-grade": "approve",
        "value-grade": "4",
        "action-school_name": "approve",
        "value-school_name": "Lakeview Elementary",
        "decide": "approve",
    }
    return {**untouched, **{key.replace("__", "-"): value for key, value in changes.items()}}


def decisions(context: Context) -> dict[str, tuple[str, str | None]]:
    with context.database.session() as session:
        rows = session.scalars(select(ReviewSuggestionField)).all()
        return {row.name: (row.decision, row.final_value) for row in rows}


def record(context: Context) -> Submission:
    return context.database.one(select(Submission))


def test_the_queue_shows_current_and_proposed(signed_in, proposal: desk.Entry) -> None:
    page = signed_in("auditor").get("/review/suggestions").text
    assert "Marisol Quintero" in page and "<ins>4</ins>" in page and "<del> School</del>" in page


def test_the_queue_takes_few_statements(signed_in, context: Context, proposal: desk.Entry) -> None:
    client = signed_in("reviewer")
    with listed(context.database.engine) as statements:
        assert "Marisol Quintero" in client.get("/review/suggestions").text
    assert len(statements) <= 6


def test_the_item_shows_the_evidence_and_the_advice(signed_in, proposal: desk.Entry) -> None:
    page = signed_in("reviewer").get(url_of(proposal)).text
    for text in (
        "<del> School</del>",
        "School not on the list",
        "this is from a second reading",
        "box-grade-0",
        "close-up",
    ):
        assert text in page
    assert 'name="decide"' not in signed_in("auditor").get(url_of(proposal)).text


def test_approving_changes_the_record(signed_in, proposal: desk.Entry, context: Context) -> None:
    response = signed_in("reviewer").post(url_of(proposal), data=answers())
    assert response.location == "/review"
    assert decisions(context) == {"grade": ("approved", "4"), "school_name": ("approved", "Lakeview Elementary")}
    entry = record(context)
    assert (entry.grade, entry.school_name, entry.status) == ("4", "Lakeview Elementary", "resolved")


def test_each_field_may_go_its_own_way(signed_in, proposal: desk.Entry, context: Context) -> None:
    data = answers(action__grade="edit", value__grade="5", action__school_name="reject", reason="a five")
    signed_in("reviewer").post(url_of(proposal), data=data)
    assert decisions(context) == {
        "grade": ("edited", "5"),
        "school_name": ("rejected", "Lakeview Elementary School"),
    }


def test_text_typed_beside_an_untouched_choice_is_not_taken(
    signed_in, proposal: desk.Entry, context: Context
) -> None:
    """The input is shown with "Edit" only; what a browser restored into it decides nothing."""
    signed_in("reviewer").post(url_of(proposal), data=answers(value__grade="9"))
    assert decisions(context)["grade"] == ("approved", "4")


def test_rejecting_all_leaves_the_entry_to_a_person(signed_in, proposal: desk.Entry, context: Context) -> None:
    client = signed_in("reviewer")
    client.post(url_of(proposal), data=answers(decide="reject"))
    assert {decision for decision, _ in decisions(context).values()} == {"rejected"}
    assert record(context).status == "escalated"
    assert "still needs a person" in client.get("/review/suggestions").text


def test_the_next_item_is_shown(signed_in, context: Context, people) -> None:
    made = []
    for name in ("Ana Ruiz", "Theo Okafor"):
        with context.database.session() as session:
            made.append(desk.make_proposal(context, session, people["uploader"], name))
    client = signed_in("reviewer")
    assert client.post(url_of(made[1]), data=answers()).location == url_of(made[0])
    assert client.post(url_of(made[0]), data=answers()).location == "/review"
    assert "The queue is empty." in client.get("/review/suggestions").text


def test_the_slower_of_two_sees_who_decided_and_keeps_the_text(signed_in, proposal: desk.Entry, people) -> None:
    signed_in("admin").post(url_of(proposal), data=answers())
    response = signed_in("reviewer").post(
        url_of(proposal), data=answers(action__grade="edit", value__grade="5", reason="looks like a five")
    )
    assert response.status_code == 409
    assert people["admin"].display_name in response.text
    assert "looks like a five" in response.text and f'href="{url_of(proposal)}"' in response.text
    page = signed_in("reviewer").get(url_of(proposal)).text
    assert f"Decided by {people['admin'].display_name}" in page and 'name="decide"' not in page


def test_a_session_that_ended_under_the_form_loses_no_text(client: FlaskClient, proposal: desk.Entry) -> None:
    response = client.post(url_of(proposal), data=answers(action__grade="edit", reason="looks like a five"))
    assert response.status_code == 401
    assert "looks like a five" in response.text
    assert f"/sign-in?next={url_of(proposal)}" in response.text


@pytest.mark.parametrize("version", ["", "x", "7", "-1", "9" * 20])
def test_a_form_of_another_version_decides_nothing(
    signed_in, proposal: desk.Entry, context: Context, version: str
) -> None:
    response = signed_in("reviewer").post(url_of(proposal), data=answers(version=version))
    assert response.status_code in (400, 409)
    assert {decision for decision, _ in decisions(context).values()} == {"pending"}


def test_a_value_that_does_not_fit(signed_in, proposal: desk.Entry, context: Context) -> None:
    data = answers(action__grade="edit", value__grade="room 404")
    response = signed_in("reviewer").post(url_of(proposal), data=data)
    assert response.status_code == 400 and "room 404" in response.text
    assert context.database.scalars(select(ReviewSuggestion.status)) == ["pending"]


def test_an_auditor_decides_nothing(signed_in, proposal: desk.Entry) -> None:
    assert signed_in("auditor").post(url_of(proposal), data=answers()).status_code == 403


def test_the_queue_can_be_narrowed(signed_in, proposal: desk.Entry) -> None:
    client = signed_in("reviewer")
    assert "Marisol" in client.get("/review/suggestions?reason=MISSING_GRADE").text
    assert "Nothing in the queue matches" in client.get("/review/suggestions?reason=SHORT_ESSAY").text


def as_marked(page: str) -> dict[str, str]:
    """The form as the page sends it when nobody touches it."""
    return {
        "version": "1",
        "decide": "approve",
        **dict(re.findall(r'name="(action-[a-z_]+)" value="([a-z]+)" checked', page)),
        **dict(re.findall(r'<input id="[^"]*" name="(value-[a-z_]+)" value="([^"]*)"', page)),
    }


@pytest.mark.parametrize(
    ("values", "action", "school", "status"),
    [
        (
            {"preferred": "proposed", "proposed_value": "Sterling Oaks Prep"},
            "approve",
            "Sterling Oaks Prep",
            "resolved",
        ),
        ({"preferred": "as_read"}, "keep", "Sterling Oaks", "resolved"),
        ({"preferred": "neither"}, "reject", "Sterling Oaks", "escalated"),
    ],
)
def test_deciding_as_marked_takes_no_value_that_is_not_preferred(
    signed_in, context: Context, values: dict[str, str], action: str, school: str, status: str
) -> None:
    with context.database.session() as session:
        entry = desk.make_doubtful(context, session, **values)
    client = signed_in("reviewer")
    form = as_marked(client.get(url_of(entry)).text)
    assert form["action-school_name"] == action
    client.post(url_of(entry), data=form)
    assert (record(context).school_name, record(context).status) == (school, status)


def test_a_value_that_is_not_preferred_leaves_an_empty_input(signed_in, context: Context) -> None:
    with context.database.session() as session:
        entry = desk.make_doubtful(context, session, current_value=None, preferred="neither")
    page = signed_in("reviewer").get(url_of(entry)).text
    form = as_marked(page)
    assert (form["action-school_name"], form["value-school_name"]) == ("edit", "")
    assert "Dierning UAKS Pree" in page


def test_keeping_is_told_and_taken_back(signed_in, context: Context) -> None:
    with context.database.session() as session:
        entry = desk.make_doubtful(context, session)
    client = signed_in("reviewer")
    client.post(url_of(entry), data=as_marked(client.get(url_of(entry)).text))
    assert decisions(context) == {"school_name": ("kept", "Sterling Oaks")}
    assert "Kept as read" in client.get(f"/submissions/{entry.submission.id}").text
    client.post("/review/undo")
    assert decisions(context) == {"school_name": ("pending", None)}


def test_typing_what_was_read_keeps_it(signed_in, context: Context) -> None:
    with context.database.session() as session:
        entry = desk.make_doubtful(context, session)
    form = {
        "version": "1",
        "action-school_name": "edit",
        "value-school_name": "Sterling Oaks",
        "decide": "approve",
    }
    signed_in("reviewer").post(url_of(entry), data=form)
    assert decisions(context) == {"school_name": ("kept", "Sterling Oaks")}


def test_who_is_measured_is_told(signed_in, monkeypatch: pytest.MonkeyPatch, context: Context) -> None:
    reviewer, said = signed_in("reviewer"), "Your office measures how long entries are open"
    assert said not in reviewer.get("/review/suggestions").text
    measuring = context.settings.model_copy(update={"measure_review_effort": True})
    monkeypatch.setattr(web.review, "app_settings", lambda: measuring)
    assert said in reviewer.get("/review/suggestions").text and said in reviewer.get("/review/escalations").text


def test_the_entry_says_who_confirmed_a_value_and_where_it_is_from(
    signed_in, proposal: desk.Entry, context: Context
) -> None:
    reviewer = signed_in("reviewer")
    typed = answers(action__grade="edit", value__grade="5", action__school_name="keep")
    assert reviewer.post(url_of(proposal), data=typed).status_code == 302
    page = " ".join(reviewer.get(f"/submissions/{proposal.submission.id}").text.split())
    assert '<span>recognized from the image</span> <span class="decided">confirmed by ' in page
    assert '<span class="decided">typed by ' in page and "by a person," not in page


def test_options_are_read_in_the_language_of_the_reader(signed_in, context: Context, proposal: desk.Entry) -> None:
    with context.database.session() as session:
        update_record(session, proposal.submission.id, {"writing_about": "Stepdad"})
        assert proposal.suggestion is not None
        suggestion = session.get_one(ReviewSuggestion, proposal.suggestion.id)
        about = {"name": "writing_about", "current_value": "Stepdad", "preferred": "proposed"}
        factories.make_suggestion_field(session, suggestion, **about, proposed_value="Grandfather")
    client = signed_in("reviewer")
    client.set_cookie("language", "es")
    for page in ("/review", url_of(proposal), "/review/suggestions/bulk"):
        shown = re.sub(r"<option.*?</option>|<[^>]*>", " ", client.get(page).text)
        assert "Abuelo" in shown and not re.search("Stepdad|Grandfather", shown), page
