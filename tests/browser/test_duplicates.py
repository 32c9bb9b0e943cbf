"""A reviewer compares two entries, decides with one key and takes it back, and another comes too late."""

from __future__ import annotations

from playwright.sync_api import expect

from core.models import PairDecision
from services.review.pair_decisions import decide_pair
from tests.browser.conftest import Site, Visit
from tests.support.review import desk
from tests.support.site import person


def test_side_by_side_with_keys(visit: Visit, site: Site) -> None:
    with site.context.database.session() as session:
        first, second, pair = desk.make_twice(site.context, session)
    page = visit("reviewer", tolerate="409")
    page.goto("/submissions")
    page.get_by_role("link", name="Duplicates").click()
    page.get_by_role("link", name="Start with the oldest").click()
    expect(page.get_by_text("The essays are almost identical.")).to_be_visible()
    expect(page.get_by_role("img", name="Page 1 as received")).to_have_count(2)
    expect(page.locator("tr.differs td")).to_have_text(["Marisol Quintero", "Marlsol Quintero"])
    expect(page.locator('[data-act="keep_both"] .key-hint')).to_have_text("b")
    page.keyboard.press("b")
    expect(page.get_by_text("Not the same: both were kept.")).to_be_visible()
    expect(page.get_by_text("No entries are waiting to be compared.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone. Both entries are as they were before.")).to_be_visible()
    # Somebody else decides meanwhile.
    ben = person(site.context, "reviewer", display_name="Ben Okoro").id
    decide_pair(site.context, ben, pair.id, pair.version + 2, PairDecision.KEEP_FIRST)
    expect(page.locator('[data-act="keep_second"] .key-hint')).to_have_text("s")
    page.keyboard.press("s")
    expect(page.get_by_role("alert")).to_contain_text("settled by Ben Okoro")
    page.goto(f"/submissions/{second.submission.id}")
    expect(page.get_by_text("Compared with:")).to_contain_text("The first was kept")
    expect(page.get_by_text("Compared with another entry: The first was kept.")).to_be_visible()
    page.goto(f"/submissions/{first.submission.id}")
    expect(page.get_by_text("Compared with another entry: The first was kept.")).to_be_visible()


def test_without_a_script(visit: Visit, site: Site) -> None:
    with site.context.database.session() as session:
        _, second, pair = desk.make_twice(site.context, session)
    page = visit("reviewer", java_script_enabled=False)
    page.goto(f"/submissions/{second.submission.id}")
    page.get_by_text("Possible duplicate of:").get_by_role("link").click()
    page.get_by_role("button", name="Replace the first with the second").click()
    expect(page.get_by_text("The second replaced the first.")).to_be_visible()
    page.goto(f"/submissions/duplicates/{pair.id}")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Keep the first")).to_be_visible()


def test_two_halves_are_joined_with_one_key(visit: Visit, site: Site) -> None:
    with site.context.database.session() as session:
        form, _, pair = desk.make_halves(site.context, session)
    page = visit("reviewer")
    page.goto(f"/submissions/{form.submission.id}")
    expect(page.get_by_text("Possibly the other half of this entry:")).to_be_visible()
    page.get_by_role("link", name="Compare the two entries").click()
    expect(page.locator("h1")).to_have_text("Two halves of one entry?")
    expect(page.locator('[data-act="join"] .key-hint')).to_have_text("j")
    page.keyboard.press("j")
    expect(page.get_by_text("Both were joined into one entry.")).to_be_visible()
    page.goto(f"/submissions/duplicates/{pair.id}")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Join them")).to_be_visible()


def test_merged_forms_are_asked_about_before_a_key_drops_one(visit: Visit, site: Site) -> None:
    with site.context.database.session() as session:
        _, second, pair = desk.make_merged(site.context, session)
    page = visit("reviewer")
    page.goto(f"/submissions/duplicates/{pair.id}")
    expect(page.get_by_text("The values are the same, but the pages look different.")).to_be_visible()
    for act in ("keep_first", "keep_second", "replace", "keep_both"):
        expect(page.locator(f'[data-act="{act}"]')).to_have_count(0)
    page.keyboard.press("f")
    groups = page.get_by_role("group", name="First"), page.get_by_role("group", name="Second")
    for group, name in zip(groups, ("Marisol Quintero", "Anselm Okoye"), strict=True):
        group.get_by_role("textbox").fill(name)
    groups[0].get_by_role("checkbox").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("textbox")).to_have_count(0)
    page.get_by_role("group", name="Second").get_by_role("checkbox").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator('[data-act="keep_first"]')).to_have_count(0)
    expect(page.locator('[data-act="keep_both"] .key-hint')).to_have_text("b")
    page.keyboard.press("b")
    expect(page.get_by_text("Not the same: both were kept.")).to_be_visible()
    page.goto(f"/submissions/{second.submission.id}")
    expect(page.get_by_role("heading", name="Anselm Okoye")).to_be_visible()
