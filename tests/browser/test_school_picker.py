"""The picker of the review pages: a school of the list by keys, a new school, another spelling."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from services.context import Context
from services.schools import add_alias, add_school, list_schools
from tests.browser.conftest import Site, Visit
from tests.browser.test_accessibility import _OPTIONS, violations
from tests.support.review.desk_browser import arrived_at, doubtful, escalation, proposals, schools, statuses


@pytest.fixture
def page(visit: Visit, site: Site) -> Page:
    """A reviewer, and a list of three schools."""
    add_school(site.context, "Sterling Oaks Preparatory", "Amberly")
    add_alias(site.context, "Sterling Oaks Preparatory", "Sterling Prep")
    add_school(site.context, "Starling Academy")
    add_school(site.context, "Juniper Hill Elementary School")
    return visit("reviewer", tolerate="400 (BAD REQUEST)")


def option_names(page: Page) -> list[str]:
    """The options that are shown, without what is said of them."""
    shown = page.get_by_role("listbox").get_by_role("option")
    expect(shown.first).to_be_visible()
    return [str(one.get_attribute("data-name")) for one in shown.all()]


def aliases(context: Context) -> dict[str, tuple[str, ...]]:
    return {school.name: school.aliases for school in list_schools(context)}


def test_a_school_is_chosen_by_keys_and_the_next_key_decides(page: Page, site: Site) -> None:
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    page.keyboard.press("s")
    box = page.get_by_role("combobox", name="School")
    expect(box).to_be_focused()
    expect(box).to_have_attribute("aria-expanded", "true")
    assert page.locator("#field-school_name input:checked").get_attribute("value") == "edit"
    assert option_names(page)[:2] == ["Sterling Oaks Preparatory", "Starling Academy"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(box).to_have_value("Sterling Oaks Preparatory")
    expect(page.get_by_role("listbox")).to_be_hidden()
    assert statuses(site.context) == {"Lucy Garrison": "suggested"}
    page.keyboard.press("Alt+a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert schools(site.context) == {"Lucy Garrison": "Sterling Oaks Preparatory"}
    assert statuses(site.context) == {"Lucy Garrison": "resolved"}


def test_what_is_only_misspelled_is_first_and_takes_one_key(page: Page, site: Site) -> None:
    page.goto(escalation(site.context))
    arrived_at(page, "Marisol Quintero")
    box = page.get_by_role("combobox", name="School")
    box.fill("Junipr Hil Elementry")
    chosen = page.locator('[role="option"][aria-selected="true"]')
    expect(chosen).to_have_attribute("data-name", "Juniper Hill Elementary School")
    expect(chosen).to_contain_text("Enter takes it")
    page.keyboard.press("Enter")
    expect(box).to_have_value("Juniper Hill Elementary School")
    box.fill("Foxglove Hill")
    expect(page.get_by_role("button", name="Add “Foxglove Hill” to the list")).to_be_visible()
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_count(0)


def test_the_spelling_of_the_entry_is_taught_as_an_alias(page: Page, site: Site) -> None:
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    page.keyboard.press("s")
    option_names(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    teach = page.get_by_role("button", name="“Sterling Oaks” is another spelling of “Sterling Oaks Preparatory”")
    expect(teach).to_be_visible()
    page.keyboard.press("Tab")
    expect(teach).to_be_focused()
    page.keyboard.press("Enter")
    expect(
        page.get_by_text("“Sterling Oaks” is now another spelling of “Sterling Oaks Preparatory”.")
    ).to_be_visible()
    expect(teach).to_be_hidden()
    assert aliases(site.context)["Sterling Oaks Preparatory"] == ("Sterling Oaks", "Sterling Prep")
    expect(page.get_by_role("combobox", name="School")).to_be_focused()


def test_a_new_school_is_added(page: Page, site: Site) -> None:
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    page.keyboard.press("s")
    page.keyboard.type("Foxglove Grammar")
    add = page.get_by_role("button", name="Add “Foxglove Grammar” to the list")
    expect(add).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("“Foxglove Grammar” is now on the list.")).to_be_visible()
    expect(add).to_be_hidden()
    page.keyboard.press("Alt+a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert "Foxglove Grammar" in aliases(site.context)
    assert schools(site.context) == {"Lucy Garrison": "Foxglove Grammar"}


def test_what_is_refused_is_said_and_nothing_typed_is_lost(page: Page, site: Site) -> None:
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    page.keyboard.press("s")
    page.keyboard.type("Foxglove Grammar")
    add = page.get_by_role("button", name="Add “Foxglove Grammar” to the list")
    expect(add).to_be_visible()
    # Meanwhile somebody else adds it.
    add_school(site.context, "foxglove grammar")
    with page.expect_response(lambda response: response.url.endswith("/schools") and response.status == 400):
        add.click()
    expect(page.get_by_text("“Foxglove Grammar” already means “foxglove grammar”")).to_be_visible()
    expect(page.get_by_role("combobox", name="School")).to_have_value("Foxglove Grammar")


def test_typing_narrows_and_escape_closes_the_list_first(page: Page, site: Site) -> None:
    page.goto(escalation(site.context))
    arrived_at(page, "Marisol Quintero")
    box = page.get_by_role("combobox", name="School")
    box.fill("junip")
    first = page.get_by_role("listbox").get_by_role("option").first
    expect(first).to_have_attribute("data-name", "Juniper Hill Elementary School")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).not_to_be_focused()


def test_a_press_chooses_and_the_entry_is_settled(page: Page, site: Site) -> None:
    page.goto(escalation(site.context))
    arrived_at(page, "Marisol Quintero")
    page.get_by_role("button", name="Choose from the list").click()
    page.get_by_role("combobox", name="School").fill("sterling")
    page.get_by_role("option", name="Sterling Oaks Preparatory").click()
    page.locator("#value-grade").select_option("4")
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert schools(site.context) == {"Marisol Quintero": "Sterling Oaks Preparatory"}


def test_the_next_item_has_a_picker_too(page: Page, site: Site) -> None:
    urls = proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page.goto(urls[0])
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")
    page.keyboard.press("s")
    expect(page.get_by_role("combobox", name="School")).to_be_focused()
    page.keyboard.type("junip")
    expect(page.get_by_role("option", name="Juniper Hill Elementary School")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_open_list_has_no_grave_fault(page: Page, site: Site, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    page.keyboard.press("s")
    option_names(page)
    page.keyboard.press("ArrowDown")
    assert violations(page, _OPTIONS) == []
