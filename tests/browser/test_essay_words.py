"""Doubtful words of essays are decided on, and undone, with one key each."""

from __future__ import annotations

from playwright.sync_api import expect

from services.library.essays.add_essays import add_essays
from tests.browser.conftest import Site, Visit
from tests.services.library.test_add_essays import approved
from tests.services.library.test_essay_words import ESSAY


def test_a_key_decides_and_another_takes_it_back(visit: Visit, site: Site) -> None:
    approved(site.context, essay_text=ESSAY)
    add_essays(site.context)
    page = visit("reviewer")
    page.goto("/research/library/essays/words")
    for key, said in (("t", "You removed “rose”."), ("k", "You kept “rose”.")):
        expect(page.locator("mark")).to_have_text("rose")
        page.wait_for_load_state()
        page.keyboard.press(key)
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.get_by_text("No words are waiting.")).to_be_visible()
        # A page answers keys once it is loaded.
        page.wait_for_load_state()
        page.keyboard.press("u")
    expect(page.locator("mark")).to_have_text("rose")
