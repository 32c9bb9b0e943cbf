"""The viewer by keyboard, wheel and drag; its words are text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site, Visit
from tests.support.review import desk

_SCROLL = "() => { const p = document.querySelector('[data-pages]'); return [p.scrollLeft, p.scrollTop]; }"
_MOVED = "(top) => document.querySelector('[data-pages]').scrollTop > top"


@pytest.fixture
def page(visit: Visit, site: Site) -> Page:
    with site.context.database.session() as session:
        entry = desk.make_entry(site.context, session, status="completed")
    page = visit("reviewer", bypass_csp=True)
    page.goto(f"/submissions/{entry.submission.id}", wait_until="load")
    return page


def test_a_picture_that_did_not_come_is_asked_for_again(visit: Visit, site: Site) -> None:
    """The file store may have been away for a moment, or an address of its own have ended."""
    with site.context.database.session() as session:
        entry = desk.make_entry(site.context, session, status="completed")
    page = visit("reviewer", bypass_csp=True, tolerate="Failed to load resource")
    asked: list[str] = []

    def away_at_first(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503, body="")
        else:
            route.continue_()

    page.route(re.compile(r"/pages/1\.webp\?w=1200"), away_at_first)
    page.goto(f"/submissions/{entry.submission.id}", wait_until="load")
    picture = page.locator(".sheet > img").first
    page.wait_for_function("() => document.querySelector('.sheet > img').naturalWidth > 0")
    expect(page.locator(".sheet.loading")).to_have_count(0)
    assert "again=" in (picture.get_attribute("src") or "") and len(set(asked)) == 2


def level(page: Page) -> str:
    return page.locator("[data-zoom-level]").inner_text()


def test_by_keyboard_alone(page: Page) -> None:
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('[data-pages]')"):
            break
    expect(page.locator("[data-pages]")).to_be_focused()
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert level(page) == "150 %"
    before = page.evaluate(_SCROLL)
    page.keyboard.press("ArrowDown")
    page.wait_for_function(_MOVED, arg=before[1])
    page.keyboard.press("-")
    assert level(page) == "125 %"
    page.keyboard.press("0")
    assert level(page) == "100 %"
    figure = page.locator(".page")
    page.keyboard.press("]")
    expect(figure).to_have_attribute("data-turn", "90")
    page.keyboard.press("[")
    expect(figure).to_have_attribute("data-turn", "0")


def test_keys_are_letters_in_an_input(page: Page) -> None:
    page.locator("#field-phone summary").click()
    page.locator("#value-phone").fill("")
    page.locator("#value-phone").press_sequentially("+0-]")
    expect(page.locator("#value-phone")).to_have_value("+0-]")
    assert level(page) == "100 %"


def test_a_word_is_selected_as_it_is_written(page: Page) -> None:
    word = page.locator(".words span", has_text="pancakes")
    word.dblclick()
    assert page.evaluate("() => String(getSelection()).trim()") == "pancakes"


def test_words_lie_over_their_pictures_at_any_size(page: Page) -> None:
    for key in ("0", "+", "+", "]"):
        page.locator("[data-pages]").focus()
        page.keyboard.press(key)
        over = page.locator(".words span", has_text="555-0142").first.bounding_box()
        box = page.locator("#box-phone-0").bounding_box()
        assert over and box
        assert abs(over["x"] + over["width"] / 2 - box["x"] - box["width"] / 2) <= 3
        assert abs(over["y"] + over["height"] / 2 - box["y"] - box["height"] / 2) <= 3


def test_the_wheel_zooms_and_the_pointer_drags(page: Page) -> None:
    frame = page.locator("[data-pages]").bounding_box()
    assert frame
    page.mouse.move(frame["x"] + 200, frame["y"] + 300)
    page.keyboard.down("Control")
    for _ in range(3):
        page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    expect(page.locator("[data-zoom-level]")).to_have_text("200 %")
    left, top = page.evaluate(_SCROLL)
    page.mouse.move(frame["x"] + 300, frame["y"] + 500)
    page.mouse.down()
    page.mouse.move(frame["x"] + 250, frame["y"] + 440, steps=4)
    page.mouse.up()
    assert page.evaluate(_SCROLL) == [left + 50, top + 60]
