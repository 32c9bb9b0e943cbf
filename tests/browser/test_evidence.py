"""Boxes sit on the words, light with their field, and stay there at any zoom."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Site, Visit
from tests.support.review import desk


@pytest.fixture
def page(visit: Visit, site: Site) -> Page:
    with site.context.database.session() as session:
        entry = desk.make_entry(site.context, session, status="completed")
    page = visit("reviewer", bypass_csp=True)
    page.goto(f"/submissions/{entry.submission.id}", wait_until="load")
    return page


def rectangle(locator: Locator) -> tuple[float, float, float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


#: Both in one look: the pages may still be scrolling.
_BOX_ON_PICTURE = """(box) => [document.querySelector(".page img"), box].map((element) => {
  const r = element.getBoundingClientRect();
  return [r.left, r.top, r.right, r.bottom];
})"""


def off_by(page: Page, name: str) -> float:
    """How far, in pixels, the box of a field is from where it belongs on the picture."""
    picture, box = page.locator(f"#box-{name}-0").evaluate(_BOX_ON_PICTURE)
    x0, y0, x1, y1 = picture
    place = desk.place(name)
    width, height = x1 - x0, y1 - y0
    wanted = (
        x0 + place["x0"] * width,
        y0 + place["y0"] * height,
        x0 + place["x1"] * width,
        y0 + place["y1"] * height,
    )
    return max(abs(a - b) for a, b in zip(box, wanted, strict=True))


@pytest.mark.parametrize("presses", [0, 2, 5])
def test_boxes_sit_on_the_words_at_any_zoom(page: Page, presses: int) -> None:
    for _ in range(presses):
        page.get_by_role("button", name="Zoom in").click()
    for name in desk.LINES.keys() - {"grade"}:
        assert off_by(page, name) <= 2


def test_a_field_lights_its_box_and_the_box_its_field(page: Page) -> None:
    page.locator("#field-school_name").focus()
    expect(page.locator("#box-school_name-0")).to_have_class("lit")
    page.locator("#box-phone-0").hover(force=True)
    expect(page.locator("#field-phone")).to_contain_class("lit")
    expect(page.locator("#box-school_name-0")).not_to_have_class("lit")


def test_a_click_on_a_box_goes_to_its_field(page: Page) -> None:
    page.locator("#box-phone-0").click(force=True)
    expect(page.locator("#field-phone")).to_be_focused()


def test_showing_a_value_zooms_to_it(page: Page) -> None:
    page.locator("#field-phone .on-page").click()
    expect(page.locator("[data-zoom-level]")).to_have_text("200 %")
    page.wait_for_function(
        """() => { const b = document.querySelector('#box-phone-0').getBoundingClientRect();
        const f = document.querySelector('[data-pages]').getBoundingClientRect();
        return b.top >= f.top && b.bottom <= f.bottom && b.left >= f.left && b.right <= f.right; }"""
    )


def test_the_close_up_shows_the_very_spot(page: Page) -> None:
    """The lit rectangle of the close-up lies within it."""
    close_up = rectangle(page.locator("#field-phone .close-up"))
    lit = rectangle(page.locator("#field-phone .close-up rect"))
    assert close_up[0] <= lit[0] < lit[2] <= close_up[2]
    assert close_up[1] <= lit[1] < lit[3] <= close_up[3]
