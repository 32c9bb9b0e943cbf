"""Values of an entry are edited in their place; settled entries are reopened and read again."""

from __future__ import annotations

import re
import uuid
from html import unescape

import pytest
from sqlalchemy import select

from core.models import Escalation, ReviewEvent, Run, Season, Submission, SubmissionField
from services.audit import event
from services.context import Context
from services.entries.essay import MOST_LINES
from tests.support.review import essays


@pytest.fixture
def entry(context: Context) -> Submission:
    with context.database.session() as session:
        return essays.make_essay_entry(context, session)


def value(context: Context, name: str) -> str | None:
    return context.database.scalar(select(SubmissionField.value).where(SubmissionField.name == name))


def test_a_value_is_kept_as_it_was_typed(signed_in, entry: Submission, context: Context) -> None:
    client, page = signed_in("reviewer"), f"/submissions/{entry.id}"
    data = {"version": "1", "value-school_name": "sAINT juniper's ELEM. School", "reason": "seen on the envelope"}
    assert client.post(f"{page}/fields/school_name", data=data).location == page
    assert value(context, "school_name") == "sAINT juniper's ELEM. School"
    shown = client.get(page).text
    assert "The value was saved." in shown and "seen on the envelope" in shown and "Undo" in shown


def test_a_colleague_was_faster(signed_in, entry: Submission, context: Context) -> None:
    data = {"version": "7", "value-school_name": "Typed with care"}
    answer = signed_in("reviewer").post(f"/submissions/{entry.id}/fields/school_name", data=data)
    assert answer.status_code == 409 and "Typed with care" in answer.text
    assert value(context, "school_name") == "Juniper"


def test_a_value_that_does_not_fit_comes_back(signed_in, entry: Submission) -> None:
    data = {"version": "1", "value-grade": "seventeen"}
    answer = signed_in("reviewer").post(f"/submissions/{entry.id}/fields/grade", data=data)
    assert answer.status_code == 400 and "seventeen" in answer.text and "K or a number" in answer.text


@pytest.mark.parametrize("name", ["word_count", "grade"])
def test_what_cannot_be_edited(signed_in, entry: Submission, name: str) -> None:
    answer = signed_in("reviewer").post(f"/submissions/{entry.id}/fields/{name}", data={"version": "1"})
    assert answer.status_code == 404


def test_only_reviewers_are_offered_it(signed_in, entry: Submission) -> None:
    assert "data-edit" in signed_in("reviewer").get(f"/submissions/{entry.id}").text
    shown = signed_in("auditor").get(f"/submissions/{entry.id}").text
    assert "data-edit" not in shown and "Reopen" not in shown


def test_reopened_then_read_again_as_another_form(signed_in, entry: Submission, context: Context) -> None:
    client, page = signed_in("reviewer"), f"/submissions/{entry.id}"
    assert client.post(f"{page}/reopen", data={"version": "1", "reason": "wrong child"}).location == page
    shown = client.get(page).text
    assert "wrong child" in shown
    desk = re.search(r'href="(/review/escalations/[^"]+)"', shown)
    assert desk is not None
    offered = client.get(desk[1]).text
    assert "<option>rapidocr</option>" in offered
    assert "<option>google</option>" not in offered and "Ask the language model" not in offered
    escalation = context.database.one(select(Escalation))
    data = {"version": str(escalation.version), "decide": "read_again", "ocr_provider": "rapidocr"}
    client.post(f"/review/escalations/{escalation.id}/of/{entry.id}", data=data)
    options = context.database.scalars(select(Run.options).order_by(Run.run_no))
    assert options == [{}, {"ocr_provider": "rapidocr"}]


def test_what_was_taken_back_is_marked(signed_in, entry: Submission, context: Context) -> None:
    client, page = signed_in("reviewer"), f"/submissions/{entry.id}"
    client.post(f"{page}/fields/grade", data={"version": "1", "value-grade": "5"})
    assert "undone" not in client.get(page).text.split('class="history"')[1]
    client.post("/review/undo")
    history = client.get(page).text.split('class="history"')[1]
    assert history.count("undone</span>") == 1
    assert value(context, "grade") == "4"


def test_essays_are_held_to_the_limits_of_the_season(signed_in, entry: Submission, context: Context) -> None:
    with context.database.session() as session:
        session.get_one(Season, entry.season_id).policy = {"max_essay_words": 5}
    client, page = signed_in("reviewer"), f"/submissions/{entry.id}/essay"
    data = {"version": "1", "line": ["one two three", "four five six"]}
    answer = client.post(page, data=data)
    assert answer.status_code == 400
    assert "at most 5" in answer.text and "four five six" in answer.text
    assert client.post(page, data={**data, "line": ["one two", "three"]}).status_code == 302
    assert value(context, "essay_text") == "one two\nthree"
    assert value(context, "word_count") == "3"
    with context.database.session() as session:
        assert session.get_one(Submission, entry.id).status == "escalated"
        assert "essay_text" in session.scalars(select(ReviewEvent.field_name)).all()


def test_an_essay_of_line_breaks_alone_is_refused_and_comes_back(
    signed_in, entry: Submission, context: Context
) -> None:
    client, page = signed_in("reviewer"), f"/submissions/{entry.id}/essay"
    before, many = value(context, "essay_text"), "first\r\n" * 9_000 + "last of them"
    for data in ({"line": many}, {"line": many, "add": "0"}, {"line": [many, many], "remove": "0"}):
        answer = client.post(page, data={"version": "1", **data})
        assert answer.status_code == (200 if len(data) > 1 else 400)
        assert answer.text.count('<textarea name="line"') == MOST_LINES and "last of them" in answer.text
    told = re.search(r'role="alert">(.*?)<', client.post(page, data={"version": "1", "line": many}).text)
    assert told and "lines; at most" in told[1], told
    assert value(context, "essay_text") == before


def test_nobody_else_corrects_an_essay(signed_in, entry: Submission) -> None:
    assert signed_in("auditor").get(f"/submissions/{entry.id}/essay").status_code == 403
    assert signed_in("reviewer").get(f"/submissions/{uuid.uuid4()}/essay").status_code == 404


def test_the_words_of_a_page(signed_in, entry: Submission, context: Context) -> None:
    url = f"/uploads/{entry.upload_id}/pages/1/words.json"
    answer = signed_in("reviewer").get(url)
    assert answer.json["turned"] == 0
    assert [" ".join(word[0] for word in line) for line in answer.json["lines"]][2] == essays.RIGHT
    again = signed_in("reviewer").get(url, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert signed_in("uploader").get(url).status_code == 404
    assert signed_in("reviewer").get(url.replace("/1/", "/2/")).status_code == 404


def test_a_session_that_ended_gives_back_what_was_typed(client, entry: Submission) -> None:
    data = {"version": "1", "line": ["typed for an hour", "and not lost"]}
    answer = client.post(f"/submissions/{entry.id}/essay", data=data)
    assert answer.status_code == 401 and "typed for an hour\nand not lost" in answer.text


@pytest.mark.parametrize("path", ["reopen", "fields/grade"])
def test_a_reason_has_a_length(signed_in, entry: Submission, context: Context, path: str) -> None:
    client, page = signed_in("reviewer"), f"/submissions/{entry.id}"
    sent = {"version": "1", "value-grade": "7", "reason": "because " * 5_000}
    refused = client.post(f"{page}/{path}", data=sent)
    assert refused.status_code == 400 and "at most 2,000 characters" in refused.text
    assert refused.text.count("because") <= 251
    assert all(len(one.reason or "") < 2_000 for one in context.database.scalars(select(ReviewEvent)))
    assert client.post(f"{page}/{path}", data={**sent, "reason": "because"}).status_code == 302


def test_a_long_history_comes_page_by_page(signed_in, entry: Submission, context: Context) -> None:
    with context.database.session() as session:
        known = session.get_one(Submission, entry.id)
        session.add_all(event(known, "waived", reason=f"why {number:03}") for number in range(230))
    reviewer, address, read = signed_in("reviewer"), f"/submissions/{entry.id}", []
    while True:
        page = reviewer.get(address)
        assert page.status_code == 200
        read.append(re.findall(r"why \d{3}", page.text))
        older = re.search(r'rel="next" href="([^"]+)"', page.text)
        if older is None:
            break
        address = unescape(older[1])
    assert [line for lines in read for line in lines] == [f"why {number:03}" for number in reversed(range(230))]
    assert max(map(len, read)) <= 100
    newer = re.search(r'rel="prev" href="([^"]+)"', page.text)
    assert newer is not None and re.findall(r"why \d{3}", reviewer.get(unescape(newer[1])).text) == read[-2]
