"""A site of its own that is sent the bombs while they are read beside it, and asked whether it is well."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from lab.faults.installation import Installation
from lab.faults.people import set_up
from lab.fuzz.catalogue import Bomb

#: What `POST /api/v1/batches` takes; other bombs are read beside the site alone.
_SENT = (".pdf", ".png", ".docx")
#: Seconds between two questions to /healthz; an answer that takes longer than the latter is counted as that long.
_EVERY, _MOST_SECONDS = 0.2, 60.0
_TIMEOUT = httpx.Timeout(120.0, connect=5.0)


class Site:
    """What was seen of the site; complete after its `with`."""

    worst_ms = 0.0
    answers = 0
    sent = 0

    def watch(self, url: str, over: threading.Event) -> None:
        """Ask /healthz time and again until `over`, and note the longest time that an answer took."""
        while not over.wait(_EVERY):
            begun = time.monotonic()
            try:
                well = httpx.get(f"{url}/healthz", timeout=_MOST_SECONDS).status_code == httpx.codes.OK
            except httpx.HTTPError:
                well = False
            took = time.monotonic() - begun if well else _MOST_SECONDS
            self.worst_ms = max(self.worst_ms, 1000 * took)
            self.answers += 1

    def send(self, url: str, token: str, bombs: Sequence[Bomb], over: threading.Event) -> None:
        """Upload the bombs one after the other, until all are sent or `over`; refusals are answers as well."""
        headers = {"Authorization": f"Bearer {token}"}
        for bomb in bombs:
            if over.is_set():
                return
            part = [("files", (bomb.name + bomb.suffix, bomb.draw()))]
            httpx.post(f"{url}/api/v1/batches", headers=headers, files=part, timeout=_TIMEOUT)
            self.sent += 1


@contextmanager
def site_under(bombs: Sequence[Bomb]) -> Iterator[Site]:
    """Yield a site that is sent these bombs in the background. Raises TimeoutError where it does not start."""
    with tempfile.TemporaryDirectory(prefix="fuzz-site-") as folder:
        installation, site, over = Installation(Path(folder), {"WORKERS": "1"}), Site(), threading.Event()
        uploader, _ = set_up(installation.settings)
        installation.start()
        sent = [bomb for bomb in bombs if bomb.suffix in _SENT]
        threads = [
            threading.Thread(target=site.watch, args=(installation.url, over)),
            threading.Thread(target=site.send, args=(installation.url, uploader, sent, over)),
        ]
        try:
            for thread in threads:
                thread.start()
            yield site
        finally:
            over.set()
            for thread in threads:
                thread.join()
            installation.stop()
