"""What the pages show beside the samples: a report, a supervision that waits for a person, an export, a form."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from core.config import ROOT

_QUESTION = "What do school programmes do that bring fathers in? Identify 5 with costs and evaluations"


def ask_for_report(page: Page) -> None:
    """Have a report researched in the demo's library."""
    page.goto("/research/new")
    page.get_by_label("Question").first.fill(_QUESTION)
    page.get_by_role("button", name="Start the research").click()
    page.wait_for_url(re.compile(r"/research/[0-9a-f-]{36}"))


def start_supervision(page: Page) -> None:
    """Have the demo's document deepened; it stops at the first revision."""
    page.goto("/research")
    page.locator('main a[href^="/research/"]', has_text="Fathers").first.click()
    page.get_by_role("link", name="Deepen this report").first.click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/supervision/[0-9a-f-]{36}$"))


def ask_for_export(page: Page) -> None:
    """Have all entries written to a file."""
    page.goto("/exports")
    page.get_by_role("button", name="Make the file").click()


def describe_form(page: Page) -> None:
    """Have a blank form read, for the form studio."""
    page.goto("/admin/forms")
    page.locator('input[name="blank"]').set_input_files(ROOT / "samples" / "06-blank-form.pdf")
    page.get_by_role("button", name="Upload", exact=True).click()
