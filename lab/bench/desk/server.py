"""What the server takes for a page of the queue, for the next item and for a decision, at both lengths."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Protocol

from flask import Flask
from werkzeug.test import TestResponse

from core.models import Submission, SubmissionStatus
from lab.bench.desk.place import Desk
from lab.bench.measure import Measure, at_most, measured
from lab.bench.office import client_of
from lab.bench.statements import listed
from services.context import Context
from services.review.waiting import WaitingFilter, WaitingItem, list_waiting, next_waiting

TIMES = 200
_P95_MS, _RATIO, _QUERIES = 60, 1.5, 6
_NEXT_PAGE = re.compile(r'href="(/review\?[^"]*page=[^"]+)"')
_INPUT = re.compile(r'<input[^>]*\bname="(csrf_token|version)"[^>]*\bvalue="([^"]*)"')
#: A filter that the whole queue has to be searched for, were it not for an index.
NARROW = "/review?school=Foxglove+Elementary+School+190"

#: What is timed: a request, or something else that returns None.
Call = Callable[[], TestResponse | None]


class AtDesk(Protocol):
    """A site, and somebody who decides there."""

    @property
    def app(self) -> Flask: ...
    @property
    def context(self) -> Context: ...
    @property
    def reviewer(self) -> uuid.UUID: ...


def measure(short: Desk, long: Desk) -> list[Measure]:
    """Every figure of the server, the two queues in turn."""
    how = (
        f"95th percentile of {TIMES} whole requests (session, queries, template) within one process, "
        f"{long.count} entries waiting, a fifth of them with an escalation and some set aside, in the embedded "
        f"PostgreSQL and {short.count} in turn with them: "
    )
    found = []
    for name, calls, what in (
        ("queue_page", pages, "GET /review, page after page"),
        ("next_item", next_items, "the next item that nobody else holds is looked up and its page is fetched"),
        ("decide", decisions, "POST of a decision that approves or fills in every field, to the redirect"),
    ):
        few, many = in_turn(calls(short), calls(long))
        found.append(measured(f"{name}_p95_ms", many, "ms", at_most(_P95_MS), how + what))
        ratio = many / few
        found.append(
            measured(
                f"{name}_ratio_to_1000_pending", ratio, "×", at_most(_RATIO), f"the same ({few:.1f} ms there)"
            )
        )
    few, many = in_turn(_filtered(short), _filtered(long))
    found.append(measured("narrowed_page_p95_ms", many, "ms", None, how + f"GET {NARROW} ({few:.1f} ms there)"))
    found.append(
        measured(
            "queries_per_queue_page",
            _queries(long),
            "statements",
            at_most(_QUERIES),
            "SQL statements of GET /review, that of the session included",
        )
    )
    return found


def in_turn(short: Iterator[Call], long: Iterator[Call], times: int = TIMES) -> tuple[float, float]:
    """Return the 95th percentiles of so many calls of each, in milliseconds."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(times // 10 + times):
        for spans, calls in zip(taken, (short, long), strict=True):
            call = next(calls)
            begun = time.perf_counter()
            response = call()
            spent = time.perf_counter() - begun
            if response is not None and response.status_code >= 400:
                raise RuntimeError(f"{response.request.path} answered {response.status_code}")
            if number >= times // 10:
                spans.append(1000 * spent)
    return _p95(taken[0]), _p95(taken[1])


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def pages(desk: AtDesk) -> Iterator[Call]:
    """Yield calls for one page of the queue after the other, for ever."""
    client, address = client_of(desk.app, desk.context, desk.reviewer), "/review"
    last: list[str] = []

    def call() -> TestResponse:
        response = client.get(address)
        last[:] = [response.text]
        return response

    while True:
        yield call
        found = _NEXT_PAGE.findall(last[0])
        address = found[-1].replace("&amp;", "&") if found else "/review"


def next_items(desk: AtDesk) -> Iterator[Call]:
    """Yield calls that look up the next item and fetch its page."""
    client = client_of(desk.app, desk.context, desk.reviewer)
    item = _next(desk, None)

    def call() -> TestResponse:
        nonlocal item
        item = _next(desk, item)
        return client.get(_address(item))

    while True:
        yield call


def decisions(desk: AtDesk) -> Iterator[Call]:
    """Yield calls that decide one item after the other; each is checked before the next."""
    client = client_of(desk.app, desk.context, desk.reviewer)
    item = _next(desk, None)
    while True:
        address = _address(item)
        form = dict(_INPUT.findall(client.get(address).text)) | {"decide": "finish"}
        if item.kind == "suggestion":
            form |= {f"action-{name}": "approve" for name in ("student_name", "school_name", "grade")}
        else:
            form |= {"value-grade": "4"}
        yield lambda address=address, form=form: client.post(address, data=form)  # type: ignore[misc]
        with desk.context.database.session() as session:
            if session.get_one(Submission, item.submission_id).status != SubmissionStatus.RESOLVED:
                raise RuntimeError("the decision was not taken")
        item = _next(desk, item)


def _next(desk: AtDesk, item: WaitingItem | None) -> WaitingItem:
    found = next_waiting(desk.context, WaitingFilter(), item.id if item else None, desk.reviewer)
    if found is None:
        raise RuntimeError("the queue has come to its end")
    return found


def _address(item: WaitingItem) -> str:
    if item.kind == "suggestion":
        return f"/review/suggestions/{item.id}"
    return f"/review/escalations/{item.id}/of/{item.submission_id}"


def _filtered(desk: Desk) -> Iterator[Call]:
    client = client_of(desk.app, desk.context, desk.reviewer)
    while True:
        yield lambda: client.get(NARROW)


def _queries(desk: Desk) -> int:
    client = client_of(desk.app, desk.context, desk.reviewer)
    rows = list_waiting(desk.context, WaitingFilter()).rows
    with listed(desk.context.database.engine) as statements:
        page = client.get("/review").text
    if str(rows[0].id) not in page:
        raise RuntimeError("the page does not show the queue")
    return len(statements)
