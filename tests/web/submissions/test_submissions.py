"""The list of entries and the page of one."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from core.messages import Message
from core.models import Run, Submission
from pipeline.reason_codes import RunReason
from services.context import Context
from tests.support import factories
from tests.support.review import desk


@pytest.fixture
def entry(context: Context, people) -> desk.Entry:
    with context.database.session() as session:
        return desk.make_entry(
            context, session, people["uploader"], status="completed", grade="4", confidence=0.97
        )


def test_filters_live_in_the_address(signed_in, context: Context, people) -> None:
    with context.database.session() as session:
        desk.make_entry(context, session, people["uploader"], student_name="Ana Ruiz", status="failed")
        desk.make_entry(context, session, people["uploader"], student_name="Theo Okafor", status="completed")
    page = signed_in("reviewer").get("/submissions?status=failed&q=ru").text
    assert "Ana Ruiz" in page and "Theo Okafor" not in page
    assert re.search(r'<option value="failed" selected>', page)
    assert 'value="ru"' in page


def test_the_number_found_is_said(signed_in, context: Context, people) -> None:
    with context.database.session() as session:
        for number in range(3):
            desk.make_entry(
                context, session, people["uploader"], student_name=f"Ana {number}", grade=str(number + 1)
            )
    client = signed_in("reviewer")
    assert "3 entries</p>" in client.get("/submissions").text
    assert "1 entry</p>" in client.get("/submissions?grade=2").text


def test_who_is_signed_in_stands_on_every_page_and_leads_to_the_account(signed_in) -> None:
    for role in ("uploader", "reviewer", "officer"):
        assert re.search(
            r'<a class="name" href="/account"[^>]*>.*<bdi>[^<]+</bdi>', signed_in(role).get("/account").text
        )


@pytest.mark.parametrize("query", ["status=nonsense", "batch=x", "q=%27%20%26%20(", "needs_review=2", "grade=13"])
def test_nonsense_in_the_address_is_no_error(signed_in, entry: desk.Entry, query: str) -> None:
    assert signed_in("reviewer").get(f"/submissions?{query}").status_code == 200


@pytest.mark.parametrize("url", ["/submissions?grade=%00", "/submissions?q=a%00b", "/invitation/%00"])
def test_text_that_no_database_holds(signed_in, url: str) -> None:
    assert signed_in("reviewer").get(url).status_code == 400


def test_a_page_that_does_not_exist(signed_in) -> None:
    assert signed_in("reviewer").get("/submissions?page=nonsense").status_code == 400


def test_empty_lists_say_what_to_do(signed_in) -> None:
    client = signed_in("uploader")
    assert "No entries yet." in client.get("/submissions").text
    assert "No entries match." in client.get("/submissions?q=nobody").text


def test_an_uploader_sees_their_own_only(signed_in, entry: desk.Entry, context: Context, people) -> None:
    with context.database.session() as session:
        other = desk.make_entry(context, session, people["reviewer"], student_name="Somebody Else")
    client = signed_in("uploader")
    assert "Somebody Else" not in client.get("/submissions").text
    assert client.get(f"/submissions/{other.submission.id}").status_code == 404
    assert client.get(f"/submissions/{entry.submission.id}").status_code == 200


def test_one_entry_shows_values_with_their_evidence(signed_in, entry: desk.Entry) -> None:
    page = signed_in("auditor").get(f"/submissions/{entry.submission.id}").text
    assert "Marisol Quintero" in page and "Lakeview Elementary School" in page
    box = re.search(r'<rect id="box-student_name-0".*?x="([\d.]+)" y="([\d.]+)"', page, flags=re.DOTALL)
    assert box is not None
    place = desk.place("student_name")
    assert float(box[1]) == pytest.approx(place["x0"] * 612, abs=0.01)
    assert float(box[2]) == pytest.approx(place["y0"] * 792, abs=0.01)
    assert "sure <small>95 %" in page


def test_the_picture_of_a_page(signed_in, entry: desk.Entry) -> None:
    client, url = signed_in("uploader"), f"/uploads/{entry.upload.id}/pages/1.webp?w=240"
    first = client.get(url)
    assert first.content_type == "image/webp" and first.data[8:12] == b"WEBP"
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert client.get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(f"/uploads/{entry.upload.id}/pages/9.webp").status_code == 404


def test_the_history_says_who_did_what(signed_in, entry: desk.Entry, context: Context, people) -> None:
    with context.database.session() as session:
        submission = session.get_one(Submission, entry.submission.id)
        run = factories.make_run(session, submission)
        factories.make_log(session, run, action_taken="save_complete", reason=Message.of(RunReason.FOUND_NOTHING))
        factories.make_event(
            session,
            submission,
            kind="edited",
            actor_id=people["reviewer"].id,
            field_name="grade",
            before_value="5",
            after_value="4",
            reason="clearly a four",
        )
    page = signed_in("uploader").get(f"/submissions/{entry.submission.id}").text
    for text in ("Found nothing to propose.", people["reviewer"].display_name, "clearly a four", "Value changed"):
        assert text in page


def test_an_entry_that_failed_is_read_again(signed_in, context: Context, people) -> None:
    with context.database.session() as session:
        failed = desk.make_entry(context, session, people["uploader"], status="failed")
    client, url = signed_in("uploader"), f"/submissions/{failed.submission.id}"
    assert client.post(f"{url}/retry").location == url
    assert context.database.scalars(select(Run.run_id)) == [f"{failed.submission.id}:2"]
    assert client.post(f"{url}/retry").status_code == 409


def test_values_from_a_page_are_text_and_nothing_else(signed_in, context: Context, people) -> None:
    with context.database.session() as session:
        entry = desk.make_entry(
            context, session, people["uploader"], student_name="<script>alert(1)</script>", status="completed"
        )
    for url in ("/submissions", f"/submissions/{entry.submission.id}"):
        assert "<script>alert" not in signed_in("uploader").get(url).text
