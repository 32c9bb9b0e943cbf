"""The steps of the image, `deploy/install.sh`, and the program started as a container engine does it."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from lab.fresh.namespace import others
from lab.fresh.userland import command_in, read_only_view

_PLACE, _DATA = "/opt/second-reader", "/var/lib/second-reader"
_AS_USER = "setpriv --reuid second-reader --regid second-reader --clear-groups --no-new-privs --bounding-set=-all"
_START_SECONDS, _END_SECONDS = 180.0, 60.0


def try_image(root: Path, checkout: str) -> str:
    """Install, start the web server on a tree that cannot be written; return one line. Raises RuntimeError."""
    begun = time.monotonic()
    _run(command_in(root, checkout, f"sh deploy/install.sh {_PLACE}"), "deploy/install.sh")
    took = time.monotonic() - begun
    view = read_only_view(root, _DATA)
    if (
        subprocess.run(command_in(view, "/", f"touch {_PLACE}/flask_app.py"), stderr=subprocess.DEVNULL).returncode
        == 0
    ):
        raise RuntimeError("the tree can be written")
    _run(_program(view, "flask db-upgrade"), "flask db-upgrade")
    with subprocess.Popen(_program(view, "flask serve")) as server:
        try:
            _wait_until_alive(view, server)
        finally:
            server.terminate()
            server.wait(_END_SECONDS)
    if left := others():
        raise RuntimeError("flask serve left:\n" + "\n".join(left))
    return f"deploy/install.sh took {took:.0f} s and its user served the app from a tree that nobody can write"


def _program(root: Path, command: str) -> list[str]:
    """The argument list that runs a command with what the image sets, as its user."""
    path = f"{_PLACE}/.venv/bin:/usr/bin:/bin"
    return command_in(root, _PLACE, f"{_AS_USER} {command}", PATH=path, VAR_DIR=_DATA, HOME="/tmp")


def _run(command: list[str], what: str) -> None:
    if code := subprocess.run(command, check=False).returncode:
        raise RuntimeError(f"{what} ended with {code}")


def _wait_until_alive(view: Path, server: subprocess.Popen[bytes]) -> None:
    """Ask what the image's own check asks."""
    limit = time.monotonic() + _START_SECONDS
    while subprocess.run(_program(view, "python -m commands.alive"), check=False).returncode:
        if server.poll() is not None or time.monotonic() > limit:
            raise RuntimeError("flask serve did not answer")
        time.sleep(1)
