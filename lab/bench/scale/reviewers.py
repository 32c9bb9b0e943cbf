"""Fifty reviewers who decide at once over two web servers; whether each decision stands, once and as sent."""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

import httpx
import psycopg
from psycopg.rows import dict_row

from lab.bench.measure import Measure, at_most, exactly, measured
from lab.bench.scale.place import Scaled
from lab.bench.scale.serving import cookie_of, web_servers
from services.accounts.people import create_user
from services.accounts.person import Role

T = TypeVar("T")

REVIEWERS, SECONDS = 50, 300.0
#: Seconds that a reviewer looks at an item, at least and at most.
_LOOKS = (5.0, 15.0)
#: One in so many decisions is sent at the same moment from a second window, with another grade, through the other
#: web server.
_RACES = 10
_P95_MS = 150
_FORM = re.compile(r'<form method="post" class="proposal" data-decide action="([^"]+)"')
_INPUT = re.compile(r'<input[^>]*\bname="(csrf_token|version)"[^>]*\bvalue="([^"]*)"')
_HOLD = re.compile(r'data-claim-url="([^"]+)"')
_NEXT = re.compile(r'rel="next" href="([^"]+)"')
_PROPOSED = re.compile(r'name="action-([a-z_]+)"')
_TIMEOUT = httpx.Timeout(60.0, connect=5.0)


@dataclass
class Sent:
    """A decision that was sent, and whether it was acknowledged."""

    person: uuid.UUID
    item: uuid.UUID
    grade: str
    ms: float
    acknowledged: bool
    race: bool


@dataclass
class Desk:
    """What all reviewers have done so far."""

    sent: list[Sent] = field(default_factory=list)
    #: Milliseconds of each page of an item.
    opened: list[float] = field(default_factory=list)
    #: Statuses of answers that were neither success nor a refusal.
    troubles: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


def measure(site: Scaled, seconds: float = SECONDS) -> list[Measure]:
    """Have them decide for so many seconds; look afterwards at each decision in the database."""
    people = [
        create_user(site.context, f"desk-{n}@example.org", Role.REVIEWER, "four quiet words here", f"Desk {n}")
        for n in range(REVIEWERS)
    ]
    desk = Desk()
    with web_servers(site, 2) as urls:
        reviewers = [Reviewer(n, one, cookie_of(site, one), urls, desk) for n, one in enumerate(people)]
        ends = time.monotonic() + seconds
        threads = [threading.Thread(target=one.work, args=(ends,), daemon=True) for one in reviewers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for reviewer in reviewers:
            reviewer.close()
    lost, double = _wrong(site, desk.sent)
    return _measures(site, desk, seconds, lost, double)


def _measures(site: Scaled, desk: Desk, seconds: float, lost: int, double: int) -> list[Measure]:
    taken = [one for one in desk.sent if one.acknowledged]
    races = sum(one.race for one in desk.sent) // 2
    how = (
        f"{REVIEWERS} people at two web servers for {seconds:.0f} s at {site.entries} entries, each looking at an "
        f"item for {_LOOKS[0]:.0f} to {_LOOKS[1]:.0f} s; servers, database and all people on one machine: "
    )
    return [
        measured(
            "decide_p95_ms_50_reviewers",
            _p95([one.ms for one in desk.sent if not one.race]),
            "ms",
            at_most(_P95_MS),
            f"{how}95th percentile of {len(desk.sent) - 2 * races} decisions, from the POST to its answer",
        ),
        measured(
            "open_p95_ms_50_reviewers", _p95(desk.opened), "ms", None, "the same people, the page of an item"
        ),
        measured("decisions_50_reviewers", len(taken), "decisions", None, "that were acknowledged"),
        measured(
            "decisions_refused_50_reviewers",
            len(desk.sent) - len(taken),
            "decisions",
            None,
            f"because the item had been decided; {races} times it was decided in two windows at once",
        ),
        measured(
            "lost_updates",
            lost,
            "decisions",
            exactly(0),
            "acknowledged, and not the one that stands, or the entry has another grade than was sent",
        ),
        measured(
            "double_decisions", double, "items", exactly(0), "acknowledged twice, or with two decisions that stand"
        ),
        measured(
            "answers_in_trouble",
            len(desk.troubles),
            "answers",
            exactly(0),
            f"neither taken nor refused ({', '.join(sorted(set(desk.troubles))) or 'none'})",
        ),
    ]


_STANDING = """select d.item_id, d.actor_id, s.grade
  from review_decisions d join submissions s on s.id = d.submission_id
  where d.item_id = any(%s) and d.undone_at is null"""


def _wrong(site: Scaled, sent: Sequence[Sent]) -> tuple[int, int]:
    """Return the numbers of lost and of double decisions."""
    taken = [one for one in sent if one.acknowledged]
    with psycopg.connect(site.url, row_factory=dict_row) as connection:
        rows = connection.execute(_STANDING, [[one.item for one in taken]]).fetchall()
    standing: dict[uuid.UUID, list[tuple[uuid.UUID, str]]] = {}
    for row in rows:
        standing.setdefault(row["item_id"], []).append((row["actor_id"], row["grade"]))
    lost = sum((one.person, one.grade) not in standing.get(one.item, []) for one in taken)
    acknowledged = Counter(one.item for one in taken)
    double = {item for item, times in acknowledged.items() if times > 1}
    double |= {item for item, decisions in standing.items() if len(decisions) > 1}
    return lost, len(double)


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


class Reviewer:
    """One person in a browser: opens what waits, holds it, looks, decides, is led to the next."""

    def __init__(self, number: int, person: uuid.UUID, cookie: str, urls: Sequence[str], desk: Desk) -> None:
        self.person = person
        self._rng = Random(f"reviewer:{number}")
        cookies = httpx.Cookies()
        # With the name of the machine: otherwise the site's own cookie would be a second one beside it.
        cookies.set("second_reader", cookie, domain="127.0.0.1")
        own, other = urls[number % len(urls)], urls[(number + 1) % len(urls)]
        self._client = httpx.Client(base_url=own, cookies=cookies, timeout=_TIMEOUT)
        self._elsewhere = httpx.Client(base_url=other, cookies=cookies, timeout=_TIMEOUT)
        self._desk = desk

    def work(self, ends: float) -> None:
        """Decide until this moment of the monotonic clock."""
        time.sleep(self._rng.uniform(0, _LOOKS[1]))
        address = "/review/first"
        while time.monotonic() < ends:
            try:
                address = self._decide_one(address)
            except (httpx.HTTPError, ValueError) as error:
                self._add(self._desk.troubles, type(error).__name__)
                address = "/review/first"

    def close(self) -> None:
        """Close the browser."""
        self._client.close()
        self._elsewhere.close()

    def _decide_one(self, address: str) -> str:
        """Open an item and decide it; return where the answer leads."""
        begun = time.perf_counter()
        page = self._client.get(address, follow_redirects=True)
        spent = 1000 * (time.perf_counter() - begun)
        self._add(self._desk.opened, spent)
        form, hold = _FORM.search(page.text), _HOLD.search(page.text)
        if page.status_code != 200 or form is None or hold is None:
            # Somebody else has just decided it.
            return "/review/first"
        values: dict[str, Any] = dict(_INPUT.findall(page.text))
        token = {"csrf_token": values["csrf_token"]}
        held = self._client.post(hold[1], data=token, headers={"Accept": "application/json"})
        if held.status_code == 409 or not held.json()["mine"]:
            # Somebody else has it open, or has just decided it: the page offers the next one.
            following = _NEXT.search(page.text)
            return following[1].replace("&amp;", "&") if following else "/review/first"
        time.sleep(self._rng.uniform(*_LOOKS))
        grade = str(self._rng.randrange(1, 13))
        values |= {f"action-{name}": "approve" for name in _PROPOSED.findall(page.text)}
        values |= {"decide": "finish", "action-grade": "edit", "value-grade": grade}
        if self._rng.randrange(_RACES):
            return self._send(self._client, form[1], values, grade) or "/review/first"
        # In a second window, since who holds an item keeps others from deciding it.
        other = str(int(grade) % 12 + 1)
        self._elsewhere.cookies.update(self._client.cookies)
        with ThreadPoolExecutor(1) as second:
            led = second.submit(self._send, self._elsewhere, form[1], values | {"value-grade": other}, other, True)
            first = self._send(self._client, form[1], values, grade, race=True)
        return first or led.result() or "/review/first"

    def _send(
        self, client: httpx.Client, action: str, values: dict[str, Any], grade: str, race: bool = False
    ) -> str | None:
        """Send a decision; return where it leads, None if it was refused."""
        begun = time.perf_counter()
        answer = client.post(action, data=values)
        spent = 1000 * (time.perf_counter() - begun)
        taken = answer.status_code == 302
        item = uuid.UUID(action.split("?")[0].split("/")[3])
        sent = Sent(self.person, item, grade, spent, taken, race)
        self._add(self._desk.sent, sent)
        if not taken and answer.status_code != 409:
            self._add(self._desk.troubles, str(answer.status_code))
        return answer.headers["location"] if taken else None

    def _add(self, notes: list[T], one: T) -> None:
        with self._desk.lock:
            notes.append(one)
