"""From a figure of the statistics to its entries, and back."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from sqlalchemy import select

from core.models import Run
from services.stats.counts import recompute_counts
from tests.browser.conftest import Site, Visit
from tests.support import factories
from tests.support.review import desk


def test_from_a_figure_to_its_entries_and_back(site: Site, visit: Visit) -> None:
    with site.context.database.session() as session:
        entry = desk.make_escalated(site.context, session)
        other = desk.make_entry(site.context, session, status="completed").submission
        done = factories.make_run(session, other, outcome="completed")
        factories.make_fact(session, done, reason="confident", language="es")
        run = session.scalars(select(Run).where(Run.submission_id == entry.submission.id)).one()
        factories.make_fact(session, run, outcome="escalated", reason="blank_form", language="en")
    recompute_counts(site.context.database)
    page = visit("auditor")
    page.goto("/admin/orchestrator_stats?days=7")
    reasons = page.locator("#reasons")
    expect(reasons.get_by_text("The form is blank.").first).to_be_visible()
    reasons.locator(".line-value a").click()
    expect(page.get_by_role("heading", name="Entries behind a figure")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.locator("tbody th a").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Marisol")
    page.go_back()
    page.get_by_role("link", name="Statistics of the supervisor").click()
    expect(page).to_have_url(re.compile("days=7"))
    page.get_by_label("Language of the entry").select_option("es")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_text("Nothing was escalated.")).to_be_visible()
    page.locator("#days summary").click()
    page.locator("#days tbody a").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("Completed")
