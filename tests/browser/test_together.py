"""A value that was respelled after other entries says so, on the record and at the desk, in both languages."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import expect
from sqlalchemy import update

from core.messages import Message
from core.models import Submission, SubmissionField
from pipeline.reason_codes import ProposalReason, TogetherWay
from tests.browser.conftest import Site, Visit
from tests.support.review import desk

SAID = {
    "en": ("as in 14 other entries of this file", "Spelling changed to match"),
    "es": ("como en otras 14 participaciones de este archivo", "Escrito como en otros lugares"),
}
WAY = Message.of(TogetherWay.AS_IN_FILE, count=14)


def make_respelled(site: Site) -> tuple[uuid.UUID, uuid.UUID]:
    """An entry whose school was respelled, with its proposal: their ids."""
    with site.context.database.session() as session:
        made = desk.make_doubtful(
            site.context,
            session,
            current_value="Lakevlew Elementary School",
            proposed_value="Lakeview Elementary School",
            preferred="proposed",
            reason=Message.of(ProposalReason.AS_OTHERS, way=WAY, problems=[]),
        )
        entry, suggestion = made.submission.id, made.suggestion
        assert suggestion is not None
        of_school = (SubmissionField.submission_id == entry, SubmissionField.name == "school_name")
        session.execute(update(SubmissionField).where(*of_school).values(way=WAY.to_json()))
        session.execute(
            update(Submission).where(Submission.id == entry).values(review_reason_codes=["SPELLED_AS_OTHERS"])
        )
        return entry, suggestion.id


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_respelled_value_names_its_source(visit: Visit, site: Site, language: str) -> None:
    entry, suggestion = make_respelled(site)
    way, reason = SAID[language]
    page = visit("reviewer")
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"/submissions/{entry}")
    assert page.locator("html").get_attribute("lang") == language
    expect(page.locator("#field-school_name")).to_contain_text(way)
    expect(page.locator("#field-student_name")).not_to_contain_text(way)
    page.goto(f"/review/suggestions/{suggestion}")
    expect(page.locator("#why-school_name")).to_contain_text(way)
    expect(page.get_by_text(reason).first).to_be_attached()
    # The value as read is beside it, and one key takes either.
    expect(page.locator("#field-school_name")).to_contain_text("Lakevlew Elementary School")
    expect(page.locator("#field-school_name input[value=approve]")).to_be_checked()
    expect(page.locator("#field-school_name input[value=keep]")).not_to_be_checked()
