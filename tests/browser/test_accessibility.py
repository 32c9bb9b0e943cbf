"""axe-core on every page, for each role, empty and filled, in both themes: nothing serious, nothing critical."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page
from sqlalchemy import select

from core.config import ROOT
from core.models import ReportRevision, ReviewSuggestionField
from flask_app import create_app
from services.accounts.invite_user import invite_user
from services.accounts.roles import Role
from tests.browser.conftest import Site, Visit
from tests.support import factories
from tests.support.long import LONG
from tests.support.research import reports, supervisions
from tests.support.research.library import add_and_read
from tests.support.review import desk

PAPER = min((ROOT / "samples" / "library").rglob("*.pdf"))
THEMES = ("light", "dark")
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_OPTIONS = {"runOnly": {"type": "tag", "values": _TAGS}, "resultTypes": ["violations"]}
#: All that a theme changes.
_COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
_GRAVE = ("serious", "critical")
_NOWHERE = "/review/suggestions/00000000-0000-0000-0000-000000000000"
#: Of every page that can be opened without data; `test_no_page_is_left_out` holds this against the routes.
EMPTY = {
    None: ["/sign-in", "/forgotten-password", "/invitation/no-such-link", "/password-reset/no-such-link"],
    "uploader": ["/upload", "/submissions", "/tokens", "/admin/users"],
    "officer": [
        "/research",
        "/research/new",
        "/research/library",
        "/research/library/add",
        "/research/documents/new",
        "/review/suggestions/reports",
        "/research/00000000-0000-0000-0000-000000000000",
    ],
    "reviewer": ["/review/suggestions", "/review/escalations", "/review/suggestions/bulk", _NOWHERE],
    "auditor": ["/submissions", "/review/suggestions", "/admin/orchestrator_stats"],
    "admin": ["/admin/orchestrator_stats", "/admin/users", "/upload"],
}
#: Answers that are no page of their own: parts, files, redirections.
_NO_PAGES = {
    "health.healthz",
    "home.home",
    "research.detected",
    "research.export",
    "research.library_file",
    "research.library_page",
    "research.library_rows",
    "research.report_progress_part",
    "research.revision_holder",
    "research.source_part",
    "research.supervision_part",
    "review.escalation_holder",
    "review.start",
    "review.start_escalations",
    "review.suggestion_holder",
    "static",
    "submissions.batch_progress_part",
    "submissions.batches",
    "submissions.original",
    "submissions.page_picture",
    "submissions.page_text",
}


def grave(page: Page, addresses: Iterable[str], theme: str = "light") -> list[str]:
    """What axe finds on these pages, a line a rule; in the dark only about colours, but for `make test-long`."""
    options = _OPTIONS if theme == "light" or LONG else _COLOURS
    found = []
    for address in addresses:
        page.goto(address)
        for rule in Axe().run(page, options=options).response["violations"]:
            if rule["impact"] in _GRAVE:
                places = [f"{node['html'][:160]} {node['failureSummary'][:300]}" for node in rule["nodes"][:3]]
                found.append(f"{address}: {rule['id']} ({len(rule['nodes'])}): {places}")
    return found


def filled(site: Site) -> dict[str | None, list[str]]:
    """Pages of entries in every state."""
    with site.context.database.session() as session:
        proposal = desk.make_proposal(site.context, session)
        desk.make_proposal(site.context, session, student="Theo Okafor")
        doubtful = desk.make_doubtful(site.context, session, student="Lucy Garrison")
        desk.make_doubtful(site.context, session, student="Ana Ruiz", preferred="neither")
        waiting = desk.make_escalated(site.context, session)
        done = desk.make_entry(site.context, session, status="completed")
        failed = factories.make_submission(session, waiting.upload, status="failed", chunk_index=1)
        factories.make_daily(session, outcome="escalated", reason="still_incomplete", runs=3)
        decided = desk.make_proposal(site.context, session, student="Ana Ruiz").suggestion
        assert proposal.suggestion is not None and decided is not None and waiting.escalation is not None
        decided.status, decided.resolved_at = "approved", decided.created_at
        decided.resolved_by_user_id = proposal.owner.id
        for field in session.query(ReviewSuggestionField).filter_by(suggestion_id=decided.id):
            field.decision, field.decided_at = "approved", decided.created_at
        assert doubtful.suggestion is not None
        item = f"/review/suggestions/{proposal.suggestion.id}"
        worse = f"/review/suggestions/{doubtful.suggestion.id}"
        waits = f"/review/escalations/{waiting.escalation.id}/of/{waiting.submission.id}"
        written = reports.make_finished_report(session).id
        under_way = reports.make_running_report(session).id
        planned = reports.make_waiting_report(session).id
        waits_for = supervisions.make_waiting_supervision(session)
        over = supervisions.make_ended_supervision(session)
        loops = [f"/research/{one.report_id}/supervision/{one.id}" for one in (waits_for, over)]
        attempts = select(ReportRevision.id).order_by(ReportRevision.supervision_id, ReportRevision.iteration)
        revisions = [f"/research/revisions/{one}" for one in session.scalars(attempts)]
        broken = reports.make_running_report(session, status="failed", error_code="storage_error").id
    paper = add_and_read(site.context, PAPER.read_bytes(), PAPER.name)
    text = add_and_read(site.context, "# Boats\n\nFathers build a boat.", collection="Clubs")
    invitation = invite_user(site.context, "new@example.org", Role.REVIEWER, "Noor Haddad")
    return {
        None: [f"/invitation/{invitation}"],
        "uploader": ["/tokens"],
        "officer": [
            "/research",
            "/research?q=nobody",
            "/research/new?query=List+5+programmes",
            f"/research/{written}",
            f"/research/{written}?version=1",
            f"/research/{under_way}",
            f"/research/{planned}",
            f"/research/{broken}",
            f"/research/{written}/sources/okafor2019?claim=c1",
            f"/research/{written}/sources/gone",
            f"/research/{written}/supervision",
            f"/research/{written}/compare",
            f"/research/{written}/compare?from=1&to=2&view=side",
            f"/research/{written}/versions/1/restore",
            f"/research/{over.report_id}",
            *loops,
            *revisions,
            f"{revisions[1]}?view=side&edit=document",
            "/review/suggestions/reports",
            "/research/library",
            "/research/library?q=boat",
            f"/research/library/{paper}",
            f"/research/library/{text}?passage=0",
        ],
        "reviewer": [
            worse,
            "/submissions",
            "/submissions?q=nobody",
            f"/submissions/{done.submission.id}",
            f"/submissions/{waiting.submission.id}",
            f"/submissions/{failed.id}",
            f"/submissions/{done.submission.id}/essay",
            f"/batches/{waiting.upload.batch_id}",
            f"/uploads/{done.upload.id}/split",
            "/review/suggestions",
            "/review/suggestions?grade=9",
            item,
            worse,
            "/review/suggestions/bulk?mark=all",
            f"/review/suggestions/{decided.id}",
            "/review/suggestions/bulk",
            "/review/escalations",
            waits,
        ],
        "auditor": [item, waits, f"/submissions/{waiting.submission.id}", f"/research/{planned}"],
        "admin": ["/admin/orchestrator_stats", "/admin/users", "/upload"],
    }


@pytest.mark.long
@pytest.mark.parametrize("theme", THEMES)
def test_while_there_is_nothing(site: Site, visit: Visit, theme: str) -> None:
    found = []
    for role, addresses in EMPTY.items():
        found += grave(visit(role, tolerate="Failed to load resource", color_scheme=theme), addresses, theme)
    assert not found, "\n".join(found)


@pytest.mark.long
@pytest.mark.parametrize("theme", THEMES)
def test_with_entries_in_every_state(site: Site, visit: Visit, theme: str) -> None:
    found = []
    for role, addresses in filled(site).items():
        found += grave(visit(role, tolerate="403 (FORBIDDEN)", color_scheme=theme), addresses, theme)
    assert not found, "\n".join(found)


def test_in_spanish_nothing_is_lost(site: Site, visit: Visit) -> None:
    pages = filled(site)["reviewer"]
    page = visit("reviewer")
    page.get_by_role("button", name="Español").click()
    assert page.locator("html").get_attribute("lang") == "es"
    assert not grave(page, [pages[0], pages[10], pages[14]])


def test_that_a_fault_would_be_found(site: Site, visit: Visit) -> None:
    page = visit()
    page.goto("/sign-in")
    page.evaluate("document.querySelector('label[for=email]').remove()")
    found = Axe().run(page, options=_OPTIONS).response["violations"]
    assert [rule["id"] for rule in found if rule["impact"] in _GRAVE] == ["label"]


def test_no_page_is_left_out(site: Site) -> None:
    app: Flask = create_app(site.context.settings, site.context)
    visited = {
        path.partition("?")[0] for part in (EMPTY, filled(site)) for paths in part.values() for path in paths
    }
    adapter = app.url_map.bind("127.0.0.1")
    opened = {adapter.match(path)[0] for path in visited}
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/api/")
    }
    assert pages - _NO_PAGES == opened
