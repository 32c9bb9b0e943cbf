"""How long a reviewer waits: from the key that decides to the next item's heading, in a real Chromium."""

from __future__ import annotations

import logging
import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from flask import Flask
from playwright.sync_api import Page, sync_playwright
from waitress import create_server
from waitress.wasyncore import close_all

from lab.bench.chromium import chromium
from lab.bench.desk.place import PASSWORD, REVIEWER, Desk
from lab.bench.measure import Measure, at_most, measured

TIMES = 30
_WARM = 3
#: How long a reviewer looks at an item at least, in milliseconds.
READ_MS = 1000
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
    with signed_in_page(desk.app, _WATCH) as page:
        page.goto("/review/first?kind=suggestion")
        times = [_decide(page, READ_MS) for _ in range(_WARM + TIMES)][_WARM:]
        at_once = [_decide(page, 0) for _ in range(_WARM + TIMES)][_WARM:]
    how = (
        f"median of {TIMES} proposals approved by key in Chromium, {desk.count} entries waiting, server and "
        "browser on one machine: from the key press to the first frame that shows the next item's heading; "
    )
    read = f"each looked at for {READ_MS} ms, in which the page fetches the next"
    slow = sorted(times)[int(0.95 * len(times))]
    return [
        measured("next_item_visible_ms", statistics.median(times), "ms", at_most(_VISIBLE_MS), how + read),
        measured("next_item_visible_p95_ms", slow, "ms", None, "the same items, 95th percentile"),
        measured(
            "next_item_visible_unread_ms",
            statistics.median(at_once),
            "ms",
            None,
            how + "the next key as soon as an item is there, so that nothing was fetched before",
        ),
    ]


def _decide(page: Page, read_ms: int) -> float:
    # To wait for an idle network would not do: it was idle once in this document, and no item makes a new one.
    page.wait_for_timeout(read_ms)
    page.keyboard.press("a")
    page.wait_for_function("sessionStorage.taken")
    return float(page.evaluate("sessionStorage.taken"))


@contextmanager
def signed_in_page(app: Flask, script: str = "") -> Iterator[Page]:
    """Serve the site, and yield a page of Chromium in which the reviewer has signed in.

    `script` runs in every document before its own scripts. Raises RuntimeError where there is no Chromium.
    """
    found = chromium()
    if found is None:
        raise RuntimeError("Chromium is needed; `make bench-desk` installs it")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with _served(app) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        # The policy against `eval` blocks the waiting code of whoever drives the page, not the page.
        page = browser.new_page(base_url=url, viewport={"width": 1400, "height": 900}, bypass_csp=True)
        page.add_init_script(script)
        page.goto("/sign-in")
        page.locator("input[type=email]").fill(REVIEWER)
        page.locator("input[type=password]").fill(PASSWORD)
        page.locator("input[type=password]").press("Enter")
        page.wait_for_url(lambda url: "/sign-in" not in url)
        yield page
        browser.close()


@contextmanager
def _served(app: Flask) -> Iterator[str]:
    # It warns of each picture that waits for another one.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sockets: dict[int, Any] = {}
    server = create_server(app, sockets, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.task_dispatcher.shutdown()
        # In its own thread, connections as well.
        with suppress(OSError):
            server.trigger.pull_trigger(lambda: close_all(sockets, ignore_all=True))
        thread.join(timeout=10)
