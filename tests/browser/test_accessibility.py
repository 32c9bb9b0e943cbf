"""axe-core on every page, for each role, empty and filled, in both themes: nothing serious, nothing critical."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page, expect

from flask_app import create_app
from tests.browser.conftest import Site, Visit
from tests.support.every_page import EMPTY, filled
from tests.support.long import some

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_OPTIONS = {"runOnly": {"type": "tag", "values": _TAGS}, "resultTypes": ["violations"]}
#: All that a theme changes.
_COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
_GRAVE = ("serious", "critical")
#: Answers that are no page of their own: parts, files, redirections.
_NO_PAGES = {
    "admin.events_file",
    "admin.form_draft_picture",
    "admin.form_draft_state",
    "admin.form_sample_picture",
    "admin.form_samples_state",
    "admin.form_toml",
    "admin.set_up_part",
    "admin.stats_csv",
    "admin.trace",
    "audits.audit_holder",
    "audits.start",
    "duplicates.start",
    "auth.second_factor_picture",
    "exports.file",
    "exports.progress_part",
    "health.healthz",
    "health.readyz",
    "home.home",
    "lists.change_part",
    "letters.file",
    "lists.reread_part",
    "metrics.metrics",
    "research.detected",
    "research.export_progress_part",
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
    "review.start_suggestions",
    "schools.likely",
    "static",
    "submissions.batch_progress_part",
    "submissions.batches",
    "submissions.original",
    "submissions.page_picture",
    "submissions.page_text",
}


def grave(page: Page, addresses: Sequence[str]) -> list[str]:
    """What axe finds on these pages, a line a rule: by day everything, in the dark what a theme changes."""
    in_the_dark = some(addresses, every=10)
    found = []
    for address in some(addresses, every=5):
        page.emulate_media(color_scheme="light")
        page.goto(address)
        found += violations(page, _OPTIONS)
        if address in in_the_dark:
            page.emulate_media(color_scheme="dark")
            found += violations(page, _COLOURS)
    return found


def violations(page: Page, options: dict[str, Any]) -> list[str]:
    """The grave ones of the page as it is shown now."""
    found = []
    for rule in Axe().run(page, options=options).response["violations"]:
        if rule["impact"] in _GRAVE:
            places = [f"{node['html'][:160]} {node['failureSummary'][:300]}" for node in rule["nodes"][:3]]
            found.append(f"{page.url}: {rule['id']} ({len(rule['nodes'])}): {places}")
    return found


@pytest.mark.long
def test_while_there_is_nothing(site: Site, visit: Visit) -> None:
    found = []
    for role, addresses in EMPTY.items():
        found += grave(visit(role, tolerate="Failed to load resource"), addresses)
    assert not found, "\n".join(found)


@pytest.mark.long
def test_with_entries_in_every_state(site: Site, visit: Visit) -> None:
    found = []
    for role, addresses in filled(site.context).items():
        found += grave(visit(role, tolerate="403 (FORBIDDEN)"), addresses)
    assert not found, "\n".join(found)


def test_in_spanish_nothing_is_lost(site: Site, visit: Visit) -> None:
    pages = filled(site.context)["reviewer"]
    page = visit("reviewer")
    page.goto("/")
    page.get_by_role("button", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
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
        path.partition("?")[0]
        for part in (EMPTY, filled(site.context))
        for paths in part.values()
        for path in paths
    }
    adapter = app.url_map.bind("127.0.0.1")
    opened = {adapter.match(path)[0] for path in visited}
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/api/")
    }
    assert pages - _NO_PAGES == opened
