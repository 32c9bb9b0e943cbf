"""Two people on one item: one holds it, the other sees who, takes over in time, and is told who was faster."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import func, select

from core.models import ReviewDecision
from tests.browser.conftest import Site, Visit
from tests.support.review.desk_browser import arrived_at, holder, proposals, run_out, statuses

CONFLICT = "409"


def two(visit: Visit) -> tuple[Page, Page]:
    return visit("reviewer"), visit("admin", tolerate=CONFLICT)


#: What approving would do, said only to whoever may approve.
READY = "Complete once you approve."


def looked_again(page: Page, until: Locator) -> None:
    """Let the page's clock go on until it has asked who has the item, and shows the answer.

    An answer that is on its way holds back the next question.
    """
    for _ in range(20):
        page.clock.fast_forward(6_000)
        page.wait_for_timeout(250)
        if until.is_visible():
            return


def test_the_second_sees_who_has_it_and_cannot_decide(visit: Visit, site: Site) -> None:
    (url,) = proposals(site.context, "Ana Ruiz")
    first, second = two(visit)
    first.goto(url)
    expect(first.locator("[data-desk-claim]")).to_be_hidden()
    arrived_at(first, "Ana Ruiz")
    second.goto(url)
    expect(second.get_by_text("Robin Reviewer has this open until")).to_be_visible()
    expect(second.get_by_role("button", name="Approve", exact=True)).to_be_disabled()
    expect(second.get_by_role("button", name="Take over")).to_be_hidden()
    expect(first.get_by_text(READY)).to_be_visible()
    expect(second.get_by_text(READY)).to_be_hidden()
    second.keyboard.press("a")
    arrived_at(second, "Ana Ruiz")
    second.goto("/review/suggestions")
    expect(second.get_by_text("open by Robin Reviewer")).to_be_visible()
    assert statuses(site.context) == {"Ana Ruiz": "suggested"}


def test_taking_over_what_has_run_out(visit: Visit, site: Site) -> None:
    (url,) = proposals(site.context, "Ana Ruiz")
    first, second = two(visit)
    first.goto(url)
    arrived_at(first, "Ana Ruiz")
    second.clock.install()
    # A page whose script asks for the first time once the hold is over has nothing to take over.
    with second.expect_response(lambda response: response.url.endswith("/claim")):
        second.goto(url)
    expect(second.get_by_text("Robin Reviewer has this open until")).to_be_visible()
    run_out(site.context)
    take_over = second.get_by_role("button", name="Take over")
    looked_again(second, take_over)
    take_over.click()
    expect(second.get_by_role("button", name="Approve", exact=True)).to_be_enabled()
    expect(second.get_by_text(READY)).to_be_visible()
    second.keyboard.press("a")
    expect(second.get_by_text("The queue is empty.")).to_be_visible()
    assert statuses(site.context) == {"Ana Ruiz": "resolved"}


def test_what_another_has_decided_leads_to_the_next_one(visit: Visit, site: Site) -> None:
    urls = proposals(site.context, "Ana Ruiz", "Theo Okafor")
    first, second = two(visit)
    with first.expect_response(lambda response: response.url.endswith(f"{urls[1]}/claim")):
        first.goto(urls[0])
    arrived_at(first, "Ana Ruiz")
    expect(first.get_by_role("button", name="Approve", exact=True)).to_be_enabled()
    second.clock.install()
    with second.expect_response(lambda response: response.url.endswith("/claim")):
        second.goto(urls[0])
    second.get_by_label("Reason").fill("looks like a five")
    with first.expect_request(lambda request: request.method == "POST" and request.url.endswith(urls[0])) as sent:
        first.keyboard.press("a")
    arrived_at(first, "Theo Okafor")
    # With it, the server does not hold for a page that may be left what the page has released itself.
    assert 'name="ahead"' in (sent.value.post_data or "")
    first.goto("/submissions")
    looked_again(second, second.get_by_text("Approved by Robin Reviewer."))
    expect(second.get_by_role("alert")).to_contain_text("What you typed is still here.")
    expect(second.get_by_text(READY)).to_be_hidden()
    expect(second.get_by_role("button", name="Take over")).to_be_hidden()
    expect(second.get_by_role("link", name="See it as it is now")).to_be_visible()
    second.get_by_role("button", name="Go to the next one").click()
    arrived_at(second, "Theo Okafor")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["Ana Ruiz"], "Decided in the meantime: approved by Robin Reviewer. This is how it stands now."),
        (
            ["Ana Ruiz", "Theo Okafor"],
            "Decided in the meantime: approved by Robin Reviewer. This is the next one.",
        ),
    ],
)
def test_taking_over_what_is_decided_leads_on(visit: Visit, site: Site, names: list[str], told: str) -> None:
    url = proposals(site.context, *names)[0]
    first, second = two(visit)
    first.goto(url)
    arrived_at(first, "Ana Ruiz")
    second.clock.install()
    with second.expect_response(lambda response: response.url.endswith("/claim")):
        second.goto(url)
    run_out(site.context)
    take_over = second.get_by_role("button", name="Take over")
    looked_again(second, take_over)
    # The first one decides before the page has asked again.
    second.route("**/claim", lambda route: None if route.request.method == "GET" else route.continue_())
    first.keyboard.press("a")
    expect(first.get_by_text("Ana Ruiz: complete.")).to_be_visible()
    first.goto("/submissions")
    take_over.click()
    expect(second.get_by_text(told)).to_be_visible()
    arrived_at(second, names[-1])


def test_the_slower_one_is_told_who_decided_and_keeps_the_text(visit: Visit, site: Site) -> None:
    (url,) = proposals(site.context, "Ana Ruiz")
    first, second = two(visit)
    second.goto(url)
    arrived_at(second, "Ana Ruiz")
    second.get_by_label("Reason").fill("looks like a five")
    approve = first.get_by_role("button", name="Approve", exact=True)
    # What is being typed prolongs the hold at any moment.
    for _ in range(10):
        run_out(site.context)
        first.goto(url)
        arrived_at(first, "Ana Ruiz")
        if approve.is_enabled():
            break
    first.keyboard.press("a")
    expect(first.get_by_text("The queue is empty.")).to_be_visible()
    second.keyboard.press("Alt+a")
    expect(second.get_by_role("alert")).to_contain_text("Approved by Robin Reviewer")
    expect(second.get_by_label("Reason")).to_have_value("looks like a five")
    expect(second.get_by_role("button", name="Approve", exact=True)).to_be_disabled()
    second.get_by_role("link", name="See it as it is now").click()
    expect(second.get_by_text("Decided by Robin Reviewer")).to_be_visible()


def test_the_later_of_two_tabs_of_one_person_is_told_and_keeps_the_text(visit: Visit, site: Site) -> None:
    (url,) = proposals(site.context, "Ana Ruiz")
    first = visit("reviewer", tolerate="409")
    second = first.context.new_page()
    for tab in (first, second):
        tab.goto(url)
        arrived_at(tab, "Ana Ruiz")
    second.get_by_label("Reason").fill("looks like a five")
    second.locator("#value-phone").fill("555-0177")
    first.bring_to_front()
    first.keyboard.press("a")
    expect(first.get_by_text("The queue is empty.")).to_be_visible()
    second.bring_to_front()
    second.keyboard.press("Alt+a")
    expect(second.get_by_role("alert")).to_contain_text("Approved by Robin Reviewer")
    expect(second.get_by_label("Reason")).to_have_value("looks like a five")
    expect(second.locator("#value-phone")).to_have_value("555-0177")
    expect(second.get_by_role("button", name="Approve", exact=True)).to_be_disabled()
    assert site.context.database.scalar(select(func.count()).select_from(ReviewDecision)) == 1
    second.get_by_role("link", name="See it as it is now").click()
    expect(second.get_by_text("Decided by Robin Reviewer")).to_be_visible()


def test_leaving_lets_go(visit: Visit, site: Site) -> None:
    (url,) = proposals(site.context, "Ana Ruiz")
    page = visit("reviewer")
    with page.expect_response(lambda response: response.url.endswith("/claim")):
        page.goto(url)
    assert holder(site.context) is not None
    page.goto("/submissions")
    page.goto("/submissions")
    page.goto("/review/suggestions")
    expect(page.get_by_text("open by you")).to_have_count(0)
    assert holder(site.context) is None


def test_what_another_holds_is_passed_over(visit: Visit, site: Site) -> None:
    urls = proposals(site.context, "Ana Ruiz", "Theo Okafor", "Luz Ibarra", "Sam Adeyemi")
    first, second = two(visit)
    with first.expect_response(lambda response: response.url.endswith(f"{urls[2]}/claim")):
        first.goto(urls[1])
    second.goto(urls[0])
    arrived_at(second, "Ana Ruiz")
    second.keyboard.press("a")
    arrived_at(second, "Sam Adeyemi")
    second.keyboard.press("a")
    expect(second.get_by_text("Sam Adeyemi: complete.")).to_be_visible()
    expect(second.get_by_text("open by Robin Reviewer")).to_have_count(2)
