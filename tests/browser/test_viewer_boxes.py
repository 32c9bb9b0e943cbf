"""A lit box covers its word to within two pixels, however the page lies in its file and in the viewer."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect
from sqlalchemy import update

from core.models import Page as PageRow
from services.pages import page_words
from tests.browser.conftest import Site, Visit
from tests.support.reading import marked_page

#: Where the boxes are; then they and all else that is coloured is hidden, so that the picture alone is seen.
_RECT = """(id) => { const r = document.getElementById(id).getBoundingClientRect();
  return [r.left, r.top, r.right, r.bottom]; }"""
_BARE = "body :not(:has(.sheet), .sheet, .sheet img) { opacity: 0 } .pages { outline: none }"


def open_entry(page: Page, site: Site, rotation: int, turned: int = 0) -> None:
    """The page of an entry whose values were read where the product found their words."""
    with site.context.database.session() as session:
        submission = marked_page.make_marked_entry(site.context, session, rotation)
        session.execute(update(PageRow).where(PageRow.upload_id == submission.upload_id).values(turned=turned))
    lines = page_words(site.context, submission.upload_id, 1).lines
    places = {word.text: word[1:] for line in lines for word in line}
    with site.context.database.session() as session:
        marked_page.give_evidence(session, submission.id, places)
    page.goto(f"/submissions/{submission.id}", wait_until="load")
    page.add_style_tag(content=_BARE)


def worst(page: Page) -> float:
    """The largest distance in pixels between an edge of a box and the edge of its block."""
    distances: list[float] = []
    for name, colour in marked_page.fields():
        page.locator(f"#field-{name}").focus()
        box = page.evaluate(_RECT, f"box-{name}-0")
        ink = marked_page.block_in(page.screenshot(), colour)
        distances += [abs(one - other) for one, other in zip(box, ink, strict=True)]
    return max(distances)


def press(page: Page, key: str, times: int = 1) -> None:
    page.locator("[data-pages]").focus()
    for _ in range(times):
        page.keyboard.press(key)


def test_boxes_cover_their_words(visit: Visit, site: Site) -> None:
    page = visit("reviewer", viewport={"width": 1100, "height": 1000}, bypass_csp=True)
    for rotation in (0, 90, 180, 270):
        open_entry(page, site, rotation)
        assert worst(page) <= 2, rotation
        press(page, "+", 4)
        page.wait_for_function("() => document.querySelector('.page img').naturalWidth > 2000")
        assert page.locator("[data-zoom-level]").inner_text() == "300 %"
        assert worst(page) <= 2, rotation
        press(page, "]")
        assert worst(page) <= 2, rotation
        press(page, "0")
        press(page, "]", 2)
        assert worst(page) <= 2, rotation


def test_a_page_that_was_turned_to_be_read_is_shown_turned_with_its_crops(visit: Visit, site: Site) -> None:
    page = visit("reviewer", viewport={"width": 1100, "height": 1000}, bypass_csp=True)
    for turned in (90, 180, 270):
        open_entry(page, site, 0, turned)
        figure = page.locator(".page")
        expect(figure).to_have_attribute("data-turn", str(turned))
        assert worst(page) <= 2, turned
        frame = page.locator(".page .frame").bounding_box()
        assert frame and (frame["width"] > frame["height"]) == (turned != 180)
    crop = page.locator(".close-up").first
    before = crop.bounding_box()
    press(page, "]")
    expect(figure).to_have_attribute("data-turn", "0")
    expect(crop).to_have_attribute("data-turn", "0")
    after = crop.bounding_box()
    assert before and after
    assert (before["width"] > before["height"]) != (after["width"] > after["height"])


def test_a_page_shows_that_its_picture_is_on_the_way(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    held: list[Route] = []
    page.route("**/pages/1.webp*", lambda route: held.append(route))
    with site.context.database.session() as session:
        submission = marked_page.make_marked_entry(site.context, session, 0)
    page.goto(f"/submissions/{submission.id}", wait_until="domcontentloaded")
    sheet = page.locator(".page .sheet")
    expect(sheet).to_have_attribute("aria-busy", "true")
    for route in held:
        route.continue_()
    expect(sheet).not_to_have_attribute("aria-busy", "true")
