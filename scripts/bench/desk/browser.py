"""How long a reviewer waits: from the key that decides to the next item's heading, in a real Chromium."""

from __future__ import annotations

import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright
from waitress import create_server

from scripts.bench.chromium import chromium
from scripts.bench.desk.place import PASSWORD, REVIEWER, Desk
from scripts.bench.measure import Measure, at_most, measured

TIMES = 30
_WARM = 3
_VISIBLE_MS = 150
#: Runs in every document, before its own scripts: notes the moment of the key, then that of a frame with another
#: heading, whether it came with a new document or into this one.
_WATCH = """
const now = () => performance.timeOrigin + performance.now();
addEventListener('keydown', () => {
  sessionStorage.begun = now();
  sessionStorage.heading = document.querySelector('h1').textContent;
  delete sessionStorage.taken;
}, true);
const look = () => {
  const heading = document.querySelector('h1');
  if (sessionStorage.begun && !sessionStorage.taken && heading && heading.checkVisibility()
      && heading.textContent !== sessionStorage.heading) {
    sessionStorage.taken = now() - Number(sessionStorage.begun);
  }
  requestAnimationFrame(look);
};
look();
"""


def measure(desk: Desk) -> list[Measure]:
    """Decide one item after the other with the key that approves."""
    with _served(desk) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox", "--disable-gpu"])
        # The policy against `eval` blocks the waiting code below, not the page.
        page = browser.new_page(base_url=url, viewport={"width": 1400, "height": 900}, bypass_csp=True)
        page.add_init_script(_WATCH)
        _open_first(page)
        times = [_decide(page) for _ in range(_WARM + TIMES)][_WARM:]
        browser.close()
    how = (
        f"median of {TIMES} items approved by key in Chromium, {desk.count} pending, server and browser on one "
        "machine: from the key press to the first frame that shows the next item's heading"
    )
    slow = sorted(times)[int(0.95 * len(times))]
    return [
        measured("next_item_visible_ms", statistics.median(times), "ms", at_most(_VISIBLE_MS), how),
        measured("next_item_visible_p95_ms", slow, "ms", None, "the same items, 95th percentile"),
    ]


def _decide(page: Page) -> float:
    # A reviewer reads an item before deciding; what the page loads meanwhile is part of its design.
    page.wait_for_load_state("networkidle")
    page.keyboard.press("a")
    page.wait_for_function("sessionStorage.taken")
    return float(page.evaluate("sessionStorage.taken"))


def _open_first(page: Page) -> None:
    page.goto("/sign-in")
    page.locator("input[type=email]").fill(REVIEWER)
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("input[type=password]").press("Enter")
    page.wait_for_url(lambda url: "/sign-in" not in url)
    page.goto("/review/suggestions")
    page.locator(".heading a.primary").click()
    page.wait_for_url("**/review/suggestions/*")


def _chromium() -> str:
    found = chromium()
    if found is None:
        raise RuntimeError("Chromium is needed; `make bench-desk` installs it")
    return found


@contextmanager
def _served(desk: Desk) -> Iterator[str]:
    server = create_server(desk.app, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.close()
        server.task_dispatcher.shutdown()
        thread.join(timeout=10)
