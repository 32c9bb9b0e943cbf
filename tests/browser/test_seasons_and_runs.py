"""An admin moves a threshold with the entries it touches in view; an auditor reads a run and replays it."""

from __future__ import annotations

import re
import uuid

from playwright.sync_api import expect

from core.models import PolicyChange
from pipeline.schema import SubmissionRecord
from pipeline.validation.policy import Policy
from services.seasons import season_rules
from tests.browser.conftest import Site, Visit
from tests.pipeline.orchestrator.test_second_reader import SAME, handwritten
from tests.support.past_run import make_past_run
from tests.support.reading.orchestration import FakeModel, FakeSecondReader, entry, read


def sure_of_most() -> SubmissionRecord:
    """Completed at 0.9, not at 0.98."""
    return entry(student_name=read("Marisol Vega", 0.95))


def test_a_threshold_with_preview_and_audit_row(visit: Visit, site: Site) -> None:
    with site.context.database.session() as session:
        run = make_past_run(site.context, session, sure_of_most())
    page = visit("admin")
    page.goto("/admin/seasons", wait_until="load")
    page.get_by_role("row", name="Open").get_by_role("link").click()
    page.get_by_label("Confidence at which an entry is completed without review").fill("0.98")
    page.get_by_role("button", name="See what would change").click()
    expect(page.get_by_text("Would change")).to_be_visible()
    link = page.get_by_role("link", name=re.compile("Entry"))
    expect(page.get_by_role("row", name="0.970")).to_contain_text("Proposals are looked for")
    assert str(run.submission_id) in str(link.last.get_attribute("href"))
    page.get_by_role("button", name="Change the rules").click()
    row = page.get_by_role("row", name="Changed Confidence at which")
    expect(row).to_contain_text("Robin Admin")
    expect(row).to_contain_text("0.98")
    row.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The change was undone.")).to_be_visible()
    with site.context.database.session() as session:
        assert [one.kind for one in session.query(PolicyChange).order_by(PolicyChange.version)] == [
            "changed",
            "undone",
        ]


def test_an_admin_switches_agreement_off_with_its_preview_and_undoes_it(visit: Visit, site: Site) -> None:
    look = {"vision": FakeModel({}), "ask_second_reader": FakeSecondReader(SAME)}
    with site.context.database.session() as session:
        run = make_past_run(site.context, session, handwritten(), **look)
        season_id = run.season_id
    page, rule = visit("admin"), "Two readers that agree may complete an entry"
    page.goto(f"/admin/seasons/{season_id}", wait_until="load")
    page.get_by_label(rule).select_option("no")
    page.get_by_role("button", name="See what would change").click()
    expect(page.get_by_role("row", name=re.compile(f"{rule}.*no"))).to_be_visible()
    row = page.get_by_role("row", name=re.compile("Completed without review.*Proposals are looked for"))
    expect(row).to_contain_text(str(run.submission_id)[:8])
    page.get_by_role("button", name="Change the rules").click()
    changed = page.get_by_role("row", name=f"Changed {rule}")
    expect(changed).to_contain_text("Robin Admin")
    assert not policy(site, season_id).agreed_completes
    changed.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The change was undone.")).to_be_visible()
    assert policy(site, season_id).agreed_completes


def policy(site: Site, season_id: uuid.UUID) -> Policy:
    with site.context.database.session() as session:
        return season_rules(session, season_id, site.context.settings)


def test_a_run_and_its_replay(visit: Visit, site: Site) -> None:
    with site.context.database.session() as session:
        run = make_past_run(site.context, session, sure_of_most())
    page = visit("auditor")
    page.goto(f"/admin/runs/{run.run_id}", wait_until="load")
    expect(page.get_by_role("img", name=re.compile("Completed the entry"))).to_be_visible()
    expect(page.get_by_role("heading", name="1. Read and checked the entry")).to_be_visible()
    page.get_by_label("Confidence at which an entry is completed without review").fill("0.98")
    page.get_by_role("button", name="Replay").click()
    expect(page.get_by_text("The result would have been different.")).to_be_visible()
    expect(page.get_by_role("row", name="Outcome Completed Proposed")).to_be_visible()
    page.get_by_role("link", name="The entry").click()
    expect(page).to_have_url(re.compile(str(run.submission_id)))
