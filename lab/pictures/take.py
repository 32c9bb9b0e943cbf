"""Take the pictures of a running site."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Error, Page, ViewportSize

from lab.pictures.feature import Feature
from services.accounts.people import DEMO_ACCOUNTS
from services.accounts.person import Role

_WINDOW: ViewportSize = {"width": 1280, "height": 860}
#: Width of the files: half of what most screens show, and still readable.
_WIDTH = 1100
MOST_BYTES = 120 * 1024
_PATIENCE = 30_000


def take(browser: Browser, address: str, features: Iterable[Feature], folder: Path) -> list[str]:
    """Write a picture of each feature; return the names of those whose page there is not."""
    missing: list[str] = []
    by_role: dict[str | None, list[Feature]] = {}
    for feature in features:
        by_role.setdefault(feature.role, []).append(feature)
    for role, its in by_role.items():
        with signed_in(browser, address, role) as page:
            for feature in its:
                if _goes_to(page, feature):
                    (folder / feature.picture).write_bytes(small(page.screenshot()))
                else:
                    missing.append(feature.name)
    return missing


@contextmanager
def signed_in(browser: Browser, address: str, role: str | None) -> Iterator[Page]:
    """Yield a page with the demo account of a role signed in, in English and light."""
    window = browser.new_context(
        base_url=address, viewport=_WINDOW, color_scheme="light", locale="en-US", reduced_motion="reduce"
    )
    window.set_default_timeout(_PATIENCE)
    page = window.new_page()
    if role is not None:
        account = next(account for account in DEMO_ACCOUNTS if account.role == Role(role))
        page.goto("/sign-in")
        page.get_by_label("E-mail address").fill(account.email)
        page.get_by_label("Password").fill(account.password)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.wait_for_url(lambda url: "/sign-in" not in url)
    yield page
    window.close()


def _goes_to(page: Page, feature: Feature) -> bool:
    """Go to the page of a feature; return whether there is one, with something to show."""
    try:
        answer = page.goto(feature.path)
        if answer is None or not answer.ok:
            return False
        for link in feature.links:
            if not page.locator(link).count():
                print(f"{feature.name}: nothing at {page.url} to follow", file=sys.stderr)
                return False
            page.locator(link).first.click()
            page.wait_for_load_state("networkidle")
        page.wait_for_load_state("networkidle")
        if feature.at:
            page.locator(feature.at).first.scroll_into_view_if_needed()
    except Error as error:
        print(f"{feature.name}: {error.message.splitlines()[0]}", file=sys.stderr)
        return False
    return True


def small(png: bytes) -> bytes:
    """Return a picture as WebP of at most MOST_BYTES."""
    with Image.open(io.BytesIO(png)) as picture:
        height = round(picture.height * _WIDTH / picture.width)
        smaller = picture.convert("RGB").resize((_WIDTH, height), Image.Resampling.LANCZOS)
    for quality in (86, 74, 60, 45, 30):
        written = io.BytesIO()
        smaller.save(written, "WEBP", quality=quality, method=6)
        if written.tell() <= MOST_BYTES:
            break
    return written.getvalue()
