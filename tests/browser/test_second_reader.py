"""Two readings at the desk and on the entry's page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import update

from core.messages import Message
from core.models import SubmissionField
from pipeline.reason_codes import ProposalReason, ReadingWay
from services.context import Context
from tests.browser.conftest import Site, Visit
from tests.support.review import desk
from tests.support.review.desk_browser import arrived_at, schools, statuses

SECOND = "Sterling Oaks Academy"


def read_twice(context: Context, agreement: str, **proposed: Any) -> tuple[str, str]:
    """The addresses of the item and of the entry, whose school two readers have read."""
    reason = Message.of(ProposalReason.READ_DIFFERENTLY, way=Message.of(ReadingWay.SECOND_READER), problems=[])
    values = {"proposed_value": SECOND, "method": "second_reader", "source": "model", "reason": reason, **proposed}
    with context.database.session() as session:
        entry = desk.make_doubtful(context, session, student="Lucy Garrison", **values)
        session.execute(
            update(SubmissionField)
            .where(SubmissionField.submission_id == entry.submission.id, SubmissionField.name == "school_name")
            .values(second_value=SECOND if agreement == "differ" else "Sterling Oaks", second_agreement=agreement)
        )
        assert entry.suggestion is not None
        return f"/review/suggestions/{entry.suggestion.id}", f"/submissions/{entry.submission.id}"


@pytest.mark.parametrize(("key", "school"), [("t", SECOND), ("l", "Sterling Oaks")])
def test_a_reviewer_takes_one_of_two_readings_by_key(visit: Visit, site: Site, key: str, school: str) -> None:
    """Neither is marked where the recogniser does not find the other one likely."""
    item, _ = read_twice(site.context, "differ", preferred="neither")
    page = visit("reviewer")
    page.goto(item)
    arrived_at(page, "Lucy Garrison")
    row = page.locator("#field-school_name")
    expect(row).to_contain_text("this is from the second reader")
    expect(row.locator("ins")).to_contain_text("Academy")
    expect(row.locator("input[type=radio]:checked")).to_have_value("reject")
    page.keyboard.press("d")
    page.keyboard.press(key)
    page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert schools(site.context) == {"Lucy Garrison": school}
    assert statuses(site.context) == {"Lucy Garrison": "resolved"}


@pytest.mark.parametrize(
    ("agreement", "said"), [("agree", "the second reader agrees"), ("differ", f"the second reader: “{SECOND}”")]
)
def test_the_page_of_an_entry_shows_both_readings(visit: Visit, site: Site, agreement: str, said: str) -> None:
    _, entry = read_twice(site.context, agreement)
    page = visit("reviewer")
    page.goto(entry)
    expect(page.get_by_text(said)).to_be_visible()
