"""`make demo` as somebody tries it: wait for its address, look until the samples are read, end it with Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from queue import Empty, Queue

from lab.fresh.namespace import others

_START_SECONDS = 1200
_READ_SECONDS = 900
_END_SECONDS = 60
_ADDRESS = re.compile(r"is open at (http://\S+)")
_ACCOUNT = re.compile(r"uploader\s+(\S+@\S+)\s+(\S+)")
_TOKEN = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
_BATCH = re.compile(r'href="(/batches/[0-9a-f-]{36})"')


def try_demo(command: list[str]) -> str:
    """Run the demo and return one line about it. Raises RuntimeError where it does not do what the README says."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    lines: Queue[str] = Queue()
    threading.Thread(target=_pass_on, args=(process, lines), daemon=True).start()
    try:
        address = _said(_ADDRESS, lines, process)[1]
        _, email, password = _said(_ACCOUNT, lines, process).group(0, 1, 2)
        read = _follow(address, email, password)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it at Ctrl-C: to all of the group
        process.wait(_END_SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    _nothing_is_left()
    return read


def _pass_on(process: subprocess.Popen[str], lines: Queue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        print(f"  | {line}", end="", flush=True)
        lines.put(line)


def _said(pattern: re.Pattern[str], lines: Queue[str], process: subprocess.Popen[str]) -> re.Match[str]:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        try:
            found = pattern.search(lines.get(timeout=1))
        except Empty:
            if process.poll() is not None:
                raise RuntimeError(f"make demo ended with {process.returncode}") from None
            continue
        if found:
            return found
    raise RuntimeError(f"make demo did not say {pattern.pattern!r} within {_START_SECONDS} s")


def _follow(address: str, email: str, password: str) -> str:
    """Sign in as the one who sent the samples, and look until nothing changes by itself any more."""
    client = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    )

    def page(path: str, **form: str) -> str:
        data = urllib.parse.urlencode(form).encode() if form else None
        with client.open(address + path, data, timeout=60) as answer:
            return str(answer.read().decode())

    def well() -> bool:
        return bool(json.loads(page("/healthz"))["status"] == "ok")

    _until(well, "/healthz to be ok")
    page("/sign-in", csrf_token=_found(_TOKEN, page("/sign-in")), email=email, password=password)
    progress = f"{_found(_BATCH, page('/upload'))}/progress"
    _until(lambda: 'data-working="no"' in page(progress), "the samples to be read")
    read = page(progress)
    if "problem-line" in read or not well():
        raise RuntimeError(f"make demo could not read all of its samples:\n{read}")
    files, entries = read.count('<li class="file" '), read.count('<a href="/submissions/')
    return f"{files} files with {entries} entries"


def _found(pattern: re.Pattern[str], page: str) -> str:
    found = pattern.search(page)
    if found is None:
        raise RuntimeError(f"make demo: no {pattern.pattern!r} on its page")
    return found[1]


def _until(true: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + _READ_SECONDS
    while not true():
        if time.monotonic() > until:
            raise RuntimeError(f"make demo: waited {_READ_SECONDS} s for {what}")
        time.sleep(2)


def _nothing_is_left() -> None:
    """What the demo started ends with it; the last of it may take a moment."""
    until = time.monotonic() + _END_SECONDS
    while left := others():
        if time.monotonic() > until:
            raise RuntimeError("make demo left after Ctrl-C:\n" + "\n".join(left))
        time.sleep(0.5)
