"""What some tests want of the system: a browser, fonts, a recogniser. `make test` installs them where it may.

Where a part is missing, the tests that want it are skipped and counted. Under CI=true they fail, but for the parts
that ALLOW_MISSING names, separated by commas.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

import pytest
from playwright._impl._driver import compute_driver_executable

from lab.bench.chromium import chromium
from lab.samples.hand import fonts

_LANGUAGES = {"eng", "spa"}
_MISSING = "missing on this machine: "


def need(part: str) -> None:
    """Skip the test where the system has no such part: "browser", "fonts", "tesseract" or "pgbouncer".

    Fails under CI=true, unless ALLOW_MISSING names the part.
    """
    if is_there(part):
        return
    if os.environ.get("CI") == "true" and part not in os.environ.get("ALLOW_MISSING", "").split(","):
        pytest.fail(f"{_MISSING}{part} (CI=true, and ALLOW_MISSING does not name it)")
    pytest.skip(f"{_MISSING}{part}")


def skipped_for_want(reports: Iterable[pytest.TestReport]) -> str | None:
    """One line that counts the skipped tests by the part that they wanted, None where every part was there."""
    reasons = [str(report.longrepr[2]) for report in reports if isinstance(report.longrepr, tuple)]
    parts = Counter(reason.partition(_MISSING)[2] for reason in reasons if _MISSING in reason)
    if not parts:
        return None
    listed = ", ".join(f"{count} for want of {part}" for part, count in sorted(parts.items()))
    return f"Skipped because this machine lacks what they need: {listed} (make test as root installs it)"


@cache
def is_there(part: str) -> bool:
    """Whether the system has a part."""
    return _PARTS[part]()


def _browser() -> bool:
    """Whether there is a browser, and a program that drives it and finds the libraries that it is linked with."""
    if chromium() is None:
        return False
    driver, _ = compute_driver_executable()
    return subprocess.run([driver, "--version"], capture_output=True, check=False).returncode == 0


def _fonts() -> bool:
    try:
        return all(fonts.path(face) for face in fonts.ALL_FACES)
    except fonts.FontsMissingError:
        return False


def _tesseract() -> bool:
    program = shutil.which("tesseract")
    if program is None:
        return False
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=True).stdout
    return set(listed.split()) >= _LANGUAGES


def _pgbouncer() -> bool:
    return shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin") is not None


_PARTS: dict[str, Callable[[], bool]] = {
    "browser": _browser,
    "fonts": _fonts,
    "tesseract": _tesseract,
    "pgbouncer": _pgbouncer,
}
