"""The page of a revision: what it would change, and what a person says of it."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import select

from core.models import Profile, ReportRevision, ReportSupervision, ReportVersion
from services.context import Context
from services.supervision.documents import editable_markdown
from tests.support.research.supervisions import (
    NEW_QUOTE,
    make_ended_supervision,
    make_waiting_supervision,
    revised,
)


@pytest.fixture
def waiting(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        loop = make_waiting_supervision(session)
        return session.scalars(
            select(ReportRevision.id).where(
                ReportRevision.supervision_id == loop.id, ReportRevision.status == "pending"
            )
        ).one()


def row(context: Context, revision_id: uuid.UUID) -> ReportRevision:
    return context.database.get_one(ReportRevision, revision_id)


def newest(context: Context, report_id: uuid.UUID) -> ReportVersion:
    with context.database.session() as session:
        versions = select(ReportVersion).where(ReportVersion.report_id == report_id)
        return session.scalars(versions.order_by(ReportVersion.version_no.desc())).first()


def test_it_shows_the_gap_the_change_and_the_quotation(signed_in, waiting: uuid.UUID) -> None:
    page = signed_in("officer").get(f"/research/revisions/{waiting}").text
    assert "attachment theory" in page and "The findings are told without the theory" in page
    assert "<ins>Attachment theory explains it:" in page
    assert f"<mark>{NEW_QUOTE}</mark>" in page
    assert '<details class="diff-same">' in page and "Costs" in page
    assert "US dollars: 0.04" in page and "cannot be undone" in page


def test_text_of_a_document_is_text(signed_in, context: Context, waiting: uuid.UUID) -> None:
    hostile = revised(sentence="<script>alert(1)</script> [@hale2018#c9]").model_dump(mode="json")
    hostile["sections"][1]["heading"] = hostile["title"] = "<img src=x onerror=alert(1)>"
    with context.database.session() as session:
        session.get_one(ReportRevision, waiting).document = hostile
    for view in ("inline", "side"):
        page = signed_in("officer").get(f"/research/revisions/{waiting}?view={view}&edit=document").text
        assert "<script>alert" not in page and "<img src=x" not in page and "&lt;script&gt;alert" in page


def test_side_by_side(signed_in, waiting: uuid.UUID) -> None:
    page = signed_in("officer").get(f"/research/revisions/{waiting}?view=side").text
    assert '<table class="sides">' in page and 'href="?' not in page
    assert page.count('aria-current="true"') == 1


def test_a_marker_leads_to_the_passage_before_it_is_accepted(signed_in, context, waiting: uuid.UUID) -> None:
    desk = signed_in("auditor")
    path = f"/research/{row(context, waiting).report_id}/sources/hale2018?claim=c9"
    assert desk.get(path).status_code == 404
    assert f'<mark id="lit">{NEW_QUOTE}</mark>' in desk.get(f"{path}&revision={waiting}").text


def test_accepting_makes_a_version(signed_in, context: Context, waiting: uuid.UUID) -> None:
    after = signed_in("officer").post(
        f"/research/revisions/{waiting}", data={"version": 1, "decide": "accept"}, follow_redirects=True
    )
    assert "Accepted as a new version." in after.text and "The queue is empty." in after.text
    decided = row(context, waiting)
    assert (decided.status, decided.made_version) == ("accepted", 3)


def test_sections_are_edited(signed_in, context: Context, waiting: uuid.UUID) -> None:
    body = revised().sections[0].body.replace("Attachment theory explains it", "Bowlby explains it")
    sent = {"version": 1, "decide": "edit", "section-findings": body.replace("\n", "\r\n"), "reason": "Clearer."}
    signed_in("reviewer").post(f"/research/revisions/{waiting}", data=sent)
    decided = row(context, waiting)
    assert (decided.status, decided.reason) == ("edited", "Clearer.")
    made = newest(context, decided.report_id)
    assert "Bowlby explains it" in made.document["sections"][0]["body"]
    assert [section["key"] for section in made.document["sections"]] == ["findings", "costs"]


def test_the_whole_document_is_edited(signed_in, context: Context, waiting: uuid.UUID) -> None:
    desk = signed_in("officer")
    page = desk.get(f"/research/revisions/{waiting}?edit=document").text
    assert 'name="document"' in page and "[@hale2018#c9]" in page
    text = editable_markdown(revised()).replace("A family cost", "Each family cost")
    desk.post(f"/research/revisions/{waiting}", data={"version": 1, "decide": "edit", "document": text})
    made = newest(context, row(context, waiting).report_id)
    assert "Each family cost" in made.document["sections"][1]["body"]


def test_a_long_document_is_edited_as_a_whole(signed_in, context: Context, waiting: uuid.UUID) -> None:
    text = editable_markdown(revised()).replace("A family cost", "A family — or another — cost " * 20_000)
    sent = {"version": 1, "decide": "edit", "document": text}
    signed_in("officer").post(f"/research/revisions/{waiting}", data=sent)
    assert row(context, waiting).status == "edited"


def test_what_the_guard_refuses_is_said_and_the_text_stays(signed_in, context, waiting: uuid.UUID) -> None:
    sent = {"version": 1, "decide": "edit", "section-findings": "All is lost. <b>", "reason": "Shorter"}
    refused = signed_in("officer").post(f"/research/revisions/{waiting}", data=sent)
    assert refused.status_code == 400
    assert "These citations would be lost: marlow2021" in refused.text
    assert "All is lost. &lt;b&gt;</textarea>" in refused.text and 'value="Shorter"' in refused.text
    assert row(context, waiting).status == "pending"


def test_a_script_is_told_in_the_same_sentences(signed_in, waiting: uuid.UUID) -> None:
    sent = {"version": 1, "decide": "edit", "section-findings": "All is lost."}
    refused = signed_in("officer").post(
        f"/research/revisions/{waiting}", data=sent, headers={"Accept": "application/json"}
    )
    assert "These citations would be lost" in refused.json["error"]["message"]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"decide": "accept", "section-findings": "Changed."}, "You changed the text."),
        ({"decide": "edit"}, "You did not change anything."),
        ({}, "The form is not complete."),
    ],
)
def test_nothing_typed_is_passed_over(signed_in, context, waiting: uuid.UUID, sent: dict, said: str) -> None:
    refused = signed_in("officer").post(f"/research/revisions/{waiting}", data={"version": 1, **sent})
    assert refused.status_code == 400 and said in refused.text
    assert row(context, waiting).status == "pending"


def test_who_was_faster_is_named_and_the_text_kept(
    signed_in, people: dict[str, Profile], waiting: uuid.UUID
) -> None:
    signed_in("reviewer").post(f"/research/revisions/{waiting}", data={"version": 1, "decide": "reject"})
    late = signed_in("officer").post(
        f"/research/revisions/{waiting}", data={"version": 1, "decide": "edit", "section-findings": "Mine."}
    )
    assert late.status_code == 409
    assert people["reviewer"].display_name in late.text and "Mine.</textarea>" in late.text
    assert "See it as it is now" in late.text


def test_a_hold_is_told_and_keeps_others_out(signed_in, people: dict[str, Profile], waiting: uuid.UUID) -> None:
    path = f"/research/revisions/{waiting}"
    asked = {"Accept": "application/json"}
    assert signed_in("reviewer").post(f"{path}/claim", headers=asked).json["mine"]
    other = signed_in("officer")
    assert people["reviewer"].display_name in other.get(path).text
    assert not other.get(f"{path}/claim", headers=asked).json["mine"]
    assert other.post(path, data={"version": 1, "decide": "accept"}).status_code == 409
    assert "open by" in other.get("/review/suggestions/reports").text
    signed_in("reviewer").post(f"{path}/release")
    assert other.post(path, data={"version": 1, "decide": "accept"}).status_code == 302


def test_a_form_that_expired_gives_the_text_back(app, signed_in, waiting: uuid.UUID) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    sent = {"version": 1, "decide": "edit", "section-findings": "Half a thought."}
    refused = signed_in("officer").post(f"/research/revisions/{waiting}", data=sent)
    assert refused.status_code == 400 and "Half a thought." in refused.text


def test_an_auditor_reads_and_decides_nothing(signed_in, waiting: uuid.UUID) -> None:
    desk = signed_in("auditor")
    assert 'name="decide"' not in desk.get(f"/research/revisions/{waiting}").text
    assert desk.post(f"/research/revisions/{waiting}", data={"version": 1, "decide": "accept"}).status_code == 403


def test_pages_of_all_that_is_decided(signed_in, context: Context) -> None:
    with context.database.session() as session:
        loop = make_ended_supervision(session)
        ids = session.scalars(
            select(ReportRevision.id).where(ReportRevision.supervision_id == loop.id).order_by("iteration")
        ).all()
    desk = signed_in("officer")
    pages = [desk.get(f"/research/revisions/{one}").text for one in ids]
    assert "It is beside the point." in pages[1] and 'name="decide"' not in "".join(pages)
    assert "These sections would be gone or empty: Costs." in pages[4]


def test_the_next_waiting_one_follows(signed_in, context: Context, waiting: uuid.UUID) -> None:
    with context.database.session() as session:
        other = make_waiting_supervision(session).id
    answer = signed_in("officer").post(
        f"/research/revisions/{waiting}", data={"version": 1, "decide": "reject"}, follow_redirects=False
    )
    with context.database.session() as session:
        following = session.scalars(
            select(ReportRevision.id).where(
                ReportRevision.supervision_id == other, ReportRevision.status == "pending"
            )
        ).one()
        assert session.get_one(ReportSupervision, other).status == "awaiting_decision"
    assert answer.location.endswith(f"/research/revisions/{following}")
