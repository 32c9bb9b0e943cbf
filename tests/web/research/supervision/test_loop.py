"""A loop over a report: asked for, followed, stopped; its attempts told in plain sentences."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import select

from core.messages import Message
from core.models import ReportSupervision
from research.supervision.types import ExaminedCode
from services.context import Context
from tests.support.research.supervisions import (
    make_attempt,
    make_ended_supervision,
    make_supervision,
    make_waiting_supervision,
)

pytestmark = pytest.mark.usefixtures("with_model")


def loops(context: Context, report_id: uuid.UUID) -> list[ReportSupervision]:
    return list(
        context.database.scalars(select(ReportSupervision).where(ReportSupervision.report_id == report_id))
    )


def address(context: Context, make, **values: object) -> tuple[str, uuid.UUID]:
    with context.database.session() as session:
        loop = make(session, **values)
        return f"/research/{loop.report_id}/supervision/{loop.id}", loop.id


def test_a_finished_report_is_deepened(signed_in, context: Context, finished: uuid.UUID) -> None:
    desk = signed_in("officer")
    assert f'href="/research/{finished}/supervision"' in desk.get(f"/research/{finished}").text
    form = desk.get(f"/research/{finished}/supervision").text
    for told in ("One attempt at a gap", "Up to 2 attempts", "Up to 3 attempts", "Up to 5 attempts"):
        assert told in form
    sent = {"tier": "comprehensive", "mode": "supervised", "budget_usd": "1,5", "budget_calls": ""}
    answer = desk.post(f"/research/{finished}/supervision", data=sent, follow_redirects=True)
    assert "The report is being examined" in answer.text and 'data-working="yes"' in answer.text
    (loop,) = loops(context, finished)
    assert (loop.tier, loop.mode, loop.budget) == ("comprehensive", "supervised", {"usd": 1.5})
    again = desk.post(f"/research/{finished}/supervision", data=sent)
    assert again.status_code == 409 and "in progress" in again.text
    assert "Supervision in progress" in desk.get(f"/research/{finished}").text


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"tier": "endless", "mode": "supervised"}, "Choose how far it should go."),
        ({"tier": "quick", "mode": "nobody"}, "Choose who decides the revisions."),
        ({"tier": "quick", "mode": "automatic", "budget_usd": "much"}, "Type a number above 0"),
    ],
)
def test_what_does_not_fit_is_said(signed_in, context, finished: uuid.UUID, sent: dict, said: str) -> None:
    refused = signed_in("officer").post(f"/research/{finished}/supervision", data=sent)
    assert refused.status_code == 400 and said in refused.text
    assert loops(context, finished) == []


def test_only_what_is_finished_is_deepened(signed_in, running: uuid.UUID) -> None:
    desk = signed_in("officer")
    assert "Deepen this report" not in desk.get(f"/research/{running}").text
    assert "Only a report that is finished" in desk.get(f"/research/{running}/supervision").text
    sent = {"tier": "quick", "mode": "automatic"}
    assert desk.post(f"/research/{running}/supervision", data=sent).status_code == 409


def test_every_attempt_is_told(signed_in, context: Context) -> None:
    path, _ = address(context, make_ended_supervision)
    page = signed_in("auditor").get(path).text
    for told in (
        "Two attempts in a row failed, so it stopped.",
        "It is beside the point.",
        "Applied automatically",
        "This gap had already been researched",
        "These citations would be lost: okafor2019.",
        "These sections would be gone or empty: Costs.",
        "The language model is not responding.",
        "in section “What was found, version 2”",
        "The secure base",
        "US dollars: 0.04",
    ):
        assert told in page, told
    assert "Cancel the supervision" not in page


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ("approved", "No important gap is left"),
        ("nothing_to_compare", "Nothing was examined"),
        ("max_iterations", "All attempts allowed at this level were made."),
        ("no_evidence", "No source was found for any gap"),
        ("budget", "The budget was used up."),
        ("cancelled", "It was canceled."),
        ("invalid_decision", "The analysis could not be used"),
        ("error", "It ended with an error."),
    ],
)
def test_why_it_ended_is_a_sentence(signed_in, context: Context, ended: str, said: str) -> None:
    path, _ = address(context, make_supervision, status="done", ended_because=ended)
    assert said in signed_in("officer").get(path).text


def test_the_timeline_is_sent_once(signed_in, context: Context) -> None:
    path, loop_id = address(context, make_supervision, status="running", phase="expand_topic")
    desk = signed_in("officer")
    part = desk.get(f"{path}/timeline")
    assert "Researching the gap" in part.text and "<html" not in part.text
    again = {"If-None-Match": part.headers["ETag"]}
    assert desk.get(f"{path}/timeline", headers=again).status_code == 304
    with context.database.session() as session:
        session.get_one(ReportSupervision, loop_id).phase = "integrate_content"
    assert "Adding the findings" in desk.get(f"{path}/timeline", headers=again).text


def test_a_waiting_revision_is_offered_until_it_is_cancelled(signed_in, context: Context) -> None:
    path, _ = address(context, make_waiting_supervision)
    desk = signed_in("officer")
    assert "A revision is waiting for a decision" in desk.get(path).text
    after = desk.post(f"{path}/cancel", follow_redirects=True).text
    assert "It was canceled." in after and "Withdrawn" in after
    assert desk.post(f"{path}/cancel").status_code == 409
    assert "Start over" in after
    assert "Started over" in desk.post(f"{path}/retry", follow_redirects=True).text


def test_a_revision_that_waits_is_not_called_integrated_nor_its_supervision_queued(
    signed_in, context: Context
) -> None:
    """Also before the worker has noted that it stopped for it."""
    path, _ = address(context, make_waiting_supervision, status="queued")
    page = signed_in("officer").get(path).text
    assert page.count("A revision needs your decision") == 2 and "Queued" not in page, (
        "in the heading, and for its script"
    )
    assert "Waiting for a decision" in page and "pill-outcome-integrated" not in page
    applied, _ = address(context, make_ended_supervision)
    assert "pill-outcome-integrated" in signed_in("officer").get(applied).text


def test_a_loop_of_another_report_is_not_here(signed_in, context: Context, finished: uuid.UUID) -> None:
    path, loop_id = address(context, make_waiting_supervision)
    desk = signed_in("officer")
    assert desk.get(f"/research/{finished}/supervision/{loop_id}").status_code == 404
    assert desk.post(f"/research/{finished}/supervision/{loop_id}/cancel").status_code == 404
    assert desk.get(path).status_code == 200


def test_what_it_rests_on_is_said_and_it_can_begin_again(signed_in, context: Context) -> None:
    note = Message.of(ExaminedCode.LIBRARY_BEING_READ, waiting=3)
    values = {"status": "done", "ended_because": "nothing_to_compare", "ended_note": note}
    path, _ = address(context, make_supervision, **values)
    page = signed_in("officer").get(path).text
    assert "still being read (documents left: 3)" in page and "Start over" in page
    assert "No important gap" not in page


def test_the_reasons_of_the_analysis_are_shown(signed_in, context: Context) -> None:
    why = {"reasoning": "What is left would change nothing.", "confidence": 0.8}
    path, loop_id = address(context, make_supervision, status="done", ended_because="approved", **why)
    with context.database.session() as session:
        loop = session.get_one(ReportSupervision, loop_id)
        make_attempt(session, loop, 1, reasoning="The findings rest on it.", confidence=0.65)
        report_page = f"/research/{loop.report_id}"
    page = signed_in("auditor").get(path).text
    assert "What is left would change nothing." in page and "confidence 80 %" in page
    assert "The findings rest on it." in page and "confidence 65 %" in page
    assert "What is left would change nothing." in signed_in("auditor").get(report_page).text
