"""Files that take their worker with them, or that are read for too long, are seen and counted."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lab.fuzz.catalogue import Bomb
from lab.fuzz.ledger import measures, outcomes, wrong
from lab.fuzz.overseer import CRASHED, HUNG, Bounds, Result, read_all
from lab.fuzz.reading import READ, UNTYPED, Outcome
from lab.fuzz.site import Site
from lab.fuzz.worker import Job

BOUNDS = Bounds(memory_mb=2048, bomb_seconds=20.0, mutation_seconds=120.0)


@pytest.mark.slow
def test_a_crash_and_a_hang_are_seen() -> None:
    no_such_bomb = Job(bomb="none")
    heavy = Job(bomb="pdf_drawing.nested_forms")
    bounds = Bounds(memory_mb=2048, bomb_seconds=4.0, mutation_seconds=4.0, grace=-1.0)
    found = {result.job: result for result in read_all([no_such_bomb, heavy], bounds, lambda _: None)}
    assert found[no_such_bomb].outcome.code == CRASHED
    assert found[heavy].outcome.code == HUNG
    assert found[heavy].megabytes > 10


def result(code: str, megabytes: float = 300, detail: str = "", job: Job | None = None) -> Result:
    return Result(job or Job(bomb="a.b"), Outcome(code, 1.0, detail), megabytes)


def test_the_ledger_counts_what_ended_wrongly() -> None:
    results = [
        result(READ),
        result(CRASHED),
        result(HUNG),
        result(UNTYPED, detail="Traceback"),
        result("too_costly", megabytes=2049),
        result("damaged_document", detail="the parser failed: KeyError", job=Job(seed=1, number=5)),
    ]
    found = {measure.measure: measure for measure in measures(results, BOUNDS, 1, None)}
    assert (found["files_tried"].value, found["bombs_tried"].value) == (1, 5)
    names = ("worker_crashes", "hangs", "over_memory", "untyped", "contained_failures")
    assert [found[name].value for name in names] == [1] * 5
    assert [found[name].holds for name in names] == [False] * 4 + [True]
    assert len(wrong(results, BOUNDS)) == 5
    assert ["`read`", 1, 0] in outcomes(results)["rows"]


class _Web(BaseHTTPRequestHandler):
    """Takes uploads, and is well slowly."""

    def do_GET(self) -> None:
        time.sleep(0.3)
        self.send_response(200)
        self.end_headers()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(400)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_site_that_answers_slowly_is_seen() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Web) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        url, over, site = f"http://127.0.0.1:{web.server_port}", threading.Event(), Site()
        watch = threading.Thread(target=site.watch, args=(url, over))
        watch.start()
        bombs = [Bomb("a.b", ".pdf", lambda: b"%PDF"), Bomb("a.c", ".png", lambda: b"")]
        site.send(url, "token", bombs, over)
        while not site.answers:
            time.sleep(0.05)
        over.set()
        watch.join()
        web.shutdown()
    assert site.sent == 2 and site.worst_ms >= 300
    found = {one.measure: one for one in measures([result(READ)], BOUNDS, 1, site)}["healthz_worst_ms"]
    assert found.value >= 300 and found.holds
    site.worst_ms = 1001.0
    assert not measures([result(READ)], BOUNDS, 1, site)[-1].holds
