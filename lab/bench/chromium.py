"""The Chromium of this machine, for whatever drives a real browser."""

from __future__ import annotations

import shutil

#: The shell without a window takes half the time of the others.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The path of a Chromium, None where there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)
