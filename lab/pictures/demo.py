"""A demo of its own for the pictures: started on an empty folder, ended with the block."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from core.config import ROOT

_ADDRESS = re.compile(r"is open at (http://\S+)")
#: Jobs, and entries that no job is at just now: the reconciler has yet to find that their turn has come.
_TO_COME = re.compile(
    r'^second_reader_(?:jobs\{[^}]*state="(?:queued|running|scheduled)"|submissions\{status="(?:queued|processing)")'
    r"[^}]*\} (\S+)$",
    re.MULTILINE,
)
_END_SECONDS = 60
#: Questions in a row to which the queue must be empty: one job puts the next one on it.
_QUIET = 8


@contextmanager
def demo() -> Iterator[str]:
    """Yield the address of a demo on a free port."""
    with tempfile.TemporaryDirectory(prefix="pictures-") as folder:
        settings = (f"VAR_DIR={folder}", "PORT=0", "DEMO_ACCOUNTS=true", "PYTHONUNBUFFERED=1")
        process = subprocess.Popen(
            ["env", *settings, sys.executable, "-m", "flask", "--app", "flask_app", "demo"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            yield _address(process)
        finally:
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does it at Ctrl-C: to all of the group
            process.wait(_END_SECONDS)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(line)
        if found := _ADDRESS.search(line):
            return found[1]
    raise RuntimeError("the demo did not start:\n" + "".join(told[-20:]))


def wait_until_read(address: str, seconds: float = 900.0) -> bool:
    """Wait until nothing is on the queue; return whether that came. False where the site does not tell."""
    limit, quiet = time.monotonic() + seconds, 0
    while time.monotonic() < limit:
        try:
            with urllib.request.urlopen(f"{address}/metrics") as answer:
                waiting = sum(float(number) for number in _TO_COME.findall(answer.read().decode()))
        except urllib.error.HTTPError:
            return False
        quiet = 0 if waiting else quiet + 1
        if quiet == _QUIET:
            return True
        time.sleep(1.5)
    return False
