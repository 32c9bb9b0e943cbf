"""Three audits in a row: one that agrees, one in which the machine is wrong, one that is taken back."""

from __future__ import annotations

from playwright.sync_api import expect
from sqlalchemy import select

from core.models import Audit, Submission
from tests.browser.conftest import Site, Visit
from tests.support import factories
from tests.support.review import desk

NAME = "Marisol Quintero"


def test_an_audit_of_three_entries(visit: Visit, site: Site) -> None:
    for _ in range(3):
        with site.context.database.session() as session:
            entry = desk.make_entry(site.context, session, status="completed", grade="4")
            factories.make_audit(session, entry.submission)
    page = visit("auditor")
    page.goto("/audits")
    page.get_by_role("link", name="Start").click()
    student, grade = page.get_by_label("Student", exact=True), page.get_by_label("Grade", exact=True)

    expect(student).to_have_value("")
    expect(page.get_by_text(NAME)).to_have_count(0)
    student.fill(NAME)
    grade.select_option("4")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("All values match what the machine read.")).to_be_visible()

    expect(student).to_have_value("")
    student.fill("Marisol Quintera")
    grade.select_option("4")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="Who is right?")).to_be_visible()
    page.get_by_role("radio", name="The typed value is right").check()
    page.get_by_role("button", name="Finish the audit").click()
    expect(page.get_by_text("Audited: wrong in Student.")).to_be_visible()

    expect(student).to_have_value("")
    student.fill(NAME)
    grade.select_option("5")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("radio", name="Cannot tell").check()
    page.get_by_role("button", name="Finish the audit").click()
    expect(page.get_by_text("Audited: the machine made no errors.")).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("heading", name="Who is right?")).to_be_visible()

    with site.context.database.session() as session:
        assert sorted(session.scalars(select(Audit.status))) == ["pending", "settled", "settled"]
        names = sorted(filter(None, session.scalars(select(Submission.student_name))))
    assert names == ["Marisol Quintera", NAME, NAME]
