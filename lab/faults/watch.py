"""Watch what is under way: for how long was anything neither worked on, nor queued, nor waiting for others?"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from core.queue import QUEUE_NAMES, RETRY_INTERVALS
from lab.faults.installation import JOB_TIMEOUT_SECONDS, LEASE_SECONDS

#: What may pass, beside a lease, until work that lost its worker is begun again.
GRACE_SECONDS = 60.0
_LOOK_SECONDS = 1.0
#: A scheduled job that is overdue by more has lost its scheduler; one that is later by more was never meant so.
_SLACK_SECONDS = 30.0

#: Rows that are under way: kind, key, the ids of the jobs that may do it, whether it is leased, whether it waits
#: for others of its file or batch, which are rows of this list themselves.
_UNDER_WAY = """
with ranged as (select distinct upload_id from page_ranges),
     of_file as (
       select s.upload_id, s.batch_id, r.* from runs r join submissions s on s.id = r.submission_id)
select 'file', u.id::text, array['upload-' || u.id], coalesce(u.lease_until > now(), false), false
  from uploads u where u.status in ('stored', 'analysing') and u.id not in (select upload_id from ranged)
union all
select 'pages', p.id::text, array['pages-' || p.id], coalesce(p.lease_until > now(), false), false
  from page_ranges p where p.outlines is null
union all
select 'run', r.run_id, array['run-' || replace(r.run_id, ':', '-'), 'rest-' || replace(r.run_id, ':', '-')],
       coalesce(r.lease_until > now(), false), false
  from runs r where r.status in ('queued', 'running')
union all
select 'read', r.run_id, array['together-' || r.upload_id], coalesce(u.lease_until > now(), false),
       u.status in ('stored', 'analysing') or exists (
         select from of_file o where o.upload_id = r.upload_id and o.status in ('queued', 'running')
           and o.together is null)
  from of_file r join uploads u on u.id = r.upload_id where r.status = 'read' or r.shown_early
union all
select 'resume', e.id::text, array['resume-' || e.id], coalesce(r.lease_until > now(), false), false
  from escalations e join runs r on r.run_id = e.run_id
 where e.decided_at is not null and e.resumed_at is null
union all
select 'batch', b.id::text, array['batch-' || b.id], coalesce(b.lease_until > now(), false),
       coalesce(b.together_at > now() - interval '1 minute', false)
       or exists (select from uploads u where u.batch_id = b.id and u.status in ('stored', 'analysing'))
       or exists (select from of_file o where o.batch_id = b.id
                     and (o.status in ('queued', 'running', 'read') or o.shown_early))
  from upload_batches b
 where exists (select from of_file o where o.batch_id = b.id and o.batch_due)
"""


@dataclass
class _Row:
    idle: float = 0.0
    leased: float = 0.0


@dataclass
class Seen:
    """What was seen of all rows."""

    #: The longest that any row was neither leased, nor queued, nor waiting, in seconds, while nothing was broken.
    longest_idle: float = 0.0
    #: Rows that were so for longer than a lease and a minute, or leased for longer than a job may take.
    stuck: set[str] = field(default_factory=set)
    #: Rows under way at the last look.
    open: int = 0
    looks: int = 0


class Watch:
    """Looks each second, in a thread of its own. What cannot be asked is not counted: it is broken just then."""

    def __init__(self, dsn: str, queue_url: str) -> None:
        self._dsn, self._queue_url = dsn, queue_url
        self._rows: dict[str, _Row] = {}
        self._stop = threading.Event()
        self._faults = 0
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.seen = Seen()

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stop.set()
        self._thread.join(timeout=60)

    @contextmanager
    def broken(self) -> Iterator[None]:
        """While the block runs, something is broken: time does not count."""
        self._faults += 1
        try:
            yield
        finally:
            self._faults -= 1

    def wait_until_idle(self, seconds: float) -> bool:
        """Wait until three looks in a row find nothing under way; return whether they did."""
        limit = time.monotonic() + seconds
        calm, looks = 0, self.seen.looks
        while calm < 3 and time.monotonic() < limit:
            time.sleep(0.2)
            if self.seen.looks != looks:
                looks = self.seen.looks
                calm = 0 if self.seen.open else calm + 1
        return calm >= 3

    def _work(self) -> None:
        before = time.monotonic()
        while not self._stop.wait(_LOOK_SECONDS):
            now = time.monotonic()
            passed, before = now - before, now
            try:
                self._look(0.0 if self._faults else passed)
            except (psycopg.Error, RedisError, OSError):
                continue

    def _look(self, passed: float) -> None:
        with psycopg.connect(self._dsn, connect_timeout=5) as connection:
            found = connection.execute(_UNDER_WAY).fetchall()
        queued = _queued(self._queue_url)
        rows = {}
        for kind, key, job_ids, is_leased, waits in found:
            name = f"{kind} {key}"
            row = rows[name] = self._rows.get(name, _Row())
            row.leased = row.leased + passed if is_leased else 0.0
            is_idle = not (is_leased or waits or queued.intersection(job_ids))
            row.idle = row.idle + passed if is_idle else 0.0
            self._judge(name, row)
        self._rows = rows
        self.seen.open = len(rows)
        self.seen.looks += 1

    def _judge(self, name: str, row: _Row) -> None:
        self.seen.longest_idle = max(self.seen.longest_idle, row.idle)
        bound = LEASE_SECONDS + GRACE_SECONDS
        if row.idle > bound or row.leased > JOB_TIMEOUT_SECONDS + bound:
            self.seen.stuck.add(name)


def _queued(url: str) -> set[str]:
    """Ids of the jobs that wait on a queue, or for their time."""
    found: set[str] = set()
    with Redis.from_url(url, decode_responses=True, socket_timeout=5) as client:
        for name in QUEUE_NAMES:
            found.update(client.lrange(f"rq:queue:{name}", 0, -1))
            now = time.time()
            times = (now - _SLACK_SECONDS, now + max(RETRY_INTERVALS) + _SLACK_SECONDS)
            found.update(client.zrangebyscore(f"rq:scheduled:{name}", *times))
    return found
