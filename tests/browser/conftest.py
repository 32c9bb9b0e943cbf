"""A real Chromium on a real server, on the test's own database."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, field

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from waitress import create_server
from waitress.wasyncore import close_all

from core.config import Settings
from core.models import Profile
from flask_app import create_app
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context
from services.doctor.metrics import exposition
from services.reconcile import reconcile
from tests.support.left_behind import checkpoints, found_in, queue_holds, sought, steps_logged, values_of
from tests.support.parts import chromium, need
from tests.support.site import sign_in_as

PASSWORD = "four quiet words here"
#: Milliseconds for anything that is waited for: two cores drive the server, the browser and other tests.
_PATIENCE = 60_000
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    need("browser")
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=list(_ARGUMENTS))
        yield started
        started.close()


@dataclass
class Site:
    """The running site and who may sign in."""

    url: str
    context: Context
    app: Flask
    #: What proves who somebody is; it may stand nowhere.
    tokens: set[str] = field(default_factory=lambda: {PASSWORD})

    def person(self, role: str) -> Profile:
        """Make somebody of this role, with a password."""
        created = create_user(self.context, f"{role}@example.org", Role(role), PASSWORD, f"Robin {role.title()}")
        return self.context.database.get_one(Profile, created)


@pytest.fixture
def site(settings: Settings, context: Context) -> Iterator[Site]:
    """The site on a free port. When the test is over, what is left behind is searched for whom it names."""
    sockets: dict[int, object] = {}
    with redirect_stderr(io.StringIO()) as log:
        app = create_app(settings, context)
    server = create_server(app, sockets, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    opened = Site(f"http://127.0.0.1:{server.effective_port}", context, app)
    yield opened
    server.task_dispatcher.shutdown()
    # In its own thread. Connections as well: one whose request no thread answers any more would keep the loop.
    # A loop that is awake closes before it is woken.
    with suppress(OSError):
        server.trigger.pull_trigger(lambda: close_all(sockets, ignore_all=True))
    thread.join(timeout=10)
    sys.stderr.write(log.getvalue())
    _names_nobody(opened, log.getvalue())


def _names_nobody(site: Site, log: str) -> None:
    """Fail where a place that is not the record names somebody of an entry, or holds a token."""
    # As in the background of every office: it removes the checkpoints of what has ended.
    reconcile(site.context)
    secrets = sought(values_of(site.context) | site.tokens)
    places = {
        "log": log,
        "queue": queue_holds(site.context.redis),
        "metrics": exposition(site.context).decode(),
        "steps": steps_logged(site.context),
        "checkpoints": checkpoints(site.context, of_settled=True),
    }
    found = {place: found_in(text, secrets) for place, text in places.items()}
    assert not any(found.values()), found


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visit]:
    """Open a page, signed in as a role if one is given. What the browser complains of fails the test.

    The form of signing in is filled in only if it is asked for: by the tests of it and of whole days. Only there
    things move, too: to draw what scrolls and fades takes half of the browser's time.
    """
    opened: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(role: str | None = None, tolerate: str = "\0", by_form: bool = False, **options: object) -> Page:
        def listen(text: str) -> None:
            if tolerate not in text:
                complaints.append(text)

        options.setdefault("reduced_motion", "no-preference" if by_form else "reduce")
        window = browser.new_context(
            base_url=site.url, viewport=options.pop("viewport", {"width": 1400, "height": 900}), **options
        )
        opened.append(window)
        window.set_default_timeout(_PATIENCE)
        page = window.new_page()
        page.on("console", lambda message: listen(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: listen(str(error)))
        if role is not None:
            person = site.person(role)
            sign_in(page, person.email) if by_form else give_session(page, site, person)
        return page

    yield open_page
    for window in opened:
        site.tokens.update(str(cookie["value"]) for cookie in window.cookies() if cookie["httpOnly"])
        window.close()
    assert not complaints


def give_session(page: Page, site: Site, person: Profile) -> None:
    """The session that signing in gives, without the form and its slow password hash; no page is open yet."""
    client = site.app.test_client()
    sign_in_as(client, person)
    cookie = client.get_cookie(site.app.config["SESSION_COOKIE_NAME"])
    assert cookie is not None
    page.context.add_cookies(
        [{"name": cookie.key, "value": cookie.value, "url": site.url, "httpOnly": True, "sameSite": "Lax"}]
    )


def sign_in(page: Page, email: str) -> None:
    """As a person does it."""
    page.goto("/sign-in")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
