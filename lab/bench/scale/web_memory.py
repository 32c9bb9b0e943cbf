"""What a web server keeps after ten thousand requests over the full database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice

import httpx

from lab.bench.measure import Measure, at_most, exactly, measured
from lab.bench.scale.place import Scaled
from lab.bench.scale.serving import cookie_of, web_server
from lab.bench.tree_memory import memory_of_tree

REQUESTS = 10_000
#: Requests after which everything that is made once is there.
_FIRST = 1_000
_AT_A_TIME = 4
_PAGES = (
    "/review",
    "/submissions",
    "/schools",
    "/submissions?q=garcia",
    "/submissions?status=resolved",
    "/account",
)


def measure(site: Scaled) -> list[Measure]:
    """Ask for pages that people have open all day, and look at the memory after the first and after all."""
    sizes, failed = [], 0
    with web_server(site) as server, ThreadPoolExecutor(_AT_A_TIME) as threads:
        limits = httpx.Limits(max_connections=_AT_A_TIME)
        cookies = {"second_reader": cookie_of(site, site.admin)}
        with httpx.Client(base_url=server.url, cookies=cookies, timeout=60, limits=limits) as client:
            for number in (_FIRST, REQUESTS - _FIRST):
                answers = threads.map(client.get, islice(cycle(_PAGES), number))
                failed += sum(answer.status_code != 200 for answer in answers)
                assert server.web is not None
                sizes.append(memory_of_tree(server.web.pid))
    how = (
        f"a web server's process, proportional set size, after {REQUESTS} requests of {', '.join(_PAGES)} at "
        f"{site.entries} entries, {_AT_A_TIME} at a time, by that after the first {_FIRST} ({sizes[0]:.0f} MB)"
    )
    return [
        measured("web_memory_growth", sizes[1] / sizes[0], "×", at_most(1.1), how),
        measured("web_memory_mb", sizes[1], "MB", None, "the same at the end"),
        measured("web_requests_failed", failed, "requests", exactly(0), "of these"),
    ]
