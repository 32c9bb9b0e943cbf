"""The course of one installation: files come in, faults come one by one, then everything is accounted for."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Generic

import psycopg
from redis import Redis

from core.queue import QUEUE_NAMES
from lab.faults.accounting import Account, account_for
from lab.faults.deciding import Reviewer
from lab.faults.installation import Installation
from lab.faults.kinds.disk import small_disk
from lab.faults.material import Drawn
from lab.faults.network import MODEL_TIMEOUT_SECONDS, SwitchedModel, SwitchedStorage
from lab.faults.people import set_up
from lab.faults.scene import Kind, NotHereError, S, Scene, until
from lab.faults.sending import Attempt, Sender
from lab.faults.stored_files import Files, FilesInFolder, FilesInMemory
from lab.faults.watch import Seen, Watch

#: Seconds until a file of a turn must be acknowledged after all that was broken is well.
_SEND_SECONDS = 180.0
#: Seconds until nothing may be under way after the last turn.
_IDLE_SECONDS = 1500.0
#: By how much stored files are made older, so that the purge of the night after is tried.
_A_DAY = timedelta(hours=25)


@dataclass(frozen=True)
class Inflicted:
    """One fault, as it went."""

    kind: str
    #: Seconds since the course began.
    at: float
    what: str
    #: Seconds that it lasted, and from its end until the health check was well and all files were acknowledged.
    lasted: float
    recovered: float


@dataclass
class Outcome:
    """What one course came to."""

    account: Account
    seen: Seen
    inflicted: list[Inflicted] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    attempts: Sequence[Attempt] = ()
    decisions: int = 0
    taken_back: int = 0
    strays_before_purge: int = 0


def run_course(
    folder: Path, files: Sequence[Drawn], kinds: Sequence[Kind[Scene]], seed: int, over_network: bool
) -> Outcome:
    """Set an installation up below the folder, run it through all faults, and account for every file."""
    rng = Random(f"course:{seed}:{over_network}")
    with ExitStack() as parts:
        disk = None if over_network else parts.enter_context(small_disk(folder))
        storage = parts.enter_context(SwitchedStorage()) if over_network else None
        model = parts.enter_context(SwitchedModel()) if over_network else None
        more = _services(storage, model)
        installation = Installation(folder, more, None if disk is None else disk / "var")
        uploader, reviewer = set_up(installation.settings)
        scene = Scene(installation, Sender(uploader, seed), rng, small_disk=disk, storage=storage, model=model)
        parts.callback(installation.stop)
        installation.start()
        person = Reviewer(reviewer, seed, asks_model=over_network)
        if storage is not None:
            return Course(scene, person, FilesInMemory(storage.objects), storage.make_older).run(files, kinds)
        local = installation.var / "files"
        return Course(scene, person, FilesInFolder(local), lambda age: _make_older(local, age)).run(files, kinds)


def _services(storage: SwitchedStorage | None, model: SwitchedModel | None) -> Mapping[str, str]:
    given: dict[str, str] = {}
    if storage is not None:
        given |= {"SUPABASE_URL": storage.url, "SUPABASE_SERVICE_ROLE_KEY": storage.key}
        given["SUPABASE_BUCKET"] = storage.bucket
    if model is not None:
        given |= {"GROQ_API_KEY": model.key, "GROQ_BASE_URL": model.url}
        given["LLM_TIMEOUT_SECONDS"] = str(MODEL_TIMEOUT_SECONDS)
    return given


class Course(Generic[S]):
    """Files that come in, faults one after the other, and the account of it all."""

    def __init__(
        self, scene: S, reviewer: Reviewer, stored: Files, make_older: Callable[[timedelta], None]
    ) -> None:
        """`make_older` has all stored files seem to be older."""
        self._scene, self._reviewer, self._stored, self._make_older = scene, reviewer, stored, make_older
        self._watch = Watch(scene.installation.dsn, scene.installation.queue_url)
        self._begun = time.monotonic()

    def run(self, files: Sequence[Drawn], kinds: Sequence[Kind[S]]) -> Outcome:
        """Inflict each kind once while a share of the files comes in."""
        scene = self._scene
        scene.sender.start(scene.installation.url)
        self._reviewer.start(scene.installation.url)
        self._watch.start()
        outcome = Outcome(Account(), self._watch.seen)
        order = scene.rng.sample(list(kinds), len(kinds))
        if not order:
            scene.sender.put(files)
        for kind, share in zip(order, _shares(files, len(order)), strict=True):
            self._turn(kind, share, outcome)
        self._end(outcome)
        outcome.strays_before_purge = len(self._account(files, outcome).orphans)
        self._purge()
        outcome.account = self._account(files, outcome)
        self._watch.stop()
        return outcome

    def _turn(self, kind: Kind[S], share: list[Drawn], outcome: Outcome) -> None:
        scene = self._scene
        scene.files = share
        before, on_their_way, meanwhile = _shares(share, 3)
        self._say(f"{kind.name}: {len(share)} files come in")
        scene.sender.put(before)
        time.sleep(scene.rng.uniform(0.5, 3.0))
        at, disturbed = time.monotonic(), scene.disturbed
        scene.sender.put(on_their_way)
        with self._watch.broken():
            try:
                with kind.inflict(scene) as what:
                    scene.sender.put(meanwhile)
                    meanwhile = []
                    time.sleep(kind.seconds)
                if kind.over_network:
                    what = f"{what}, {scene.disturbed - disturbed} requests answered so"
            except NotHereError as why:
                scene.sender.put(meanwhile)
                outcome.skipped[kind.name] = str(why)
                self._say(f"{kind.name}: not tried, {why}")
                return
            over = time.monotonic()
            scene.installation.start()
        sent = scene.sender.wait(_SEND_SECONDS)
        well = time.monotonic()
        outcome.inflicted.append(Inflicted(kind.name, at - self._begun, what, over - at, well - over))
        note = "" if sent else f"; {scene.sender.unsent} requests are still not acknowledged"
        self._say(f"{kind.name}: {what}; lasted {over - at:.1f} s, well {well - over:.1f} s later{note}")

    def _end(self, outcome: Outcome) -> None:
        """Wait for all that is under way; then for what the reviewer's last decisions have begun."""
        self._scene.sender.wait(_SEND_SECONDS)
        self._scene.sender.stop()
        self._wait("all files are acknowledged")
        self._reviewer.stop()
        self._wait("the reviewer has gone")
        until(lambda: not _jobs_left(self._scene.installation.queue_url), _IDLE_SECONDS)
        outcome.attempts = self._scene.sender.attempts
        outcome.decisions = len(self._reviewer.done.acknowledged)
        outcome.taken_back = len(self._reviewer.done.taken_back)

    def _wait(self, why: str) -> None:
        calm = self._watch.wait_until_idle(_IDLE_SECONDS)
        self._say(f"{why}; {'nothing' if calm else self._watch.seen.open} is under way")

    def _purge(self) -> None:
        """Have the purge of the night after run: strays are left alone for a day."""
        self._make_older(_A_DAY)
        if self._scene.installation.command("purge").wait():
            raise RuntimeError("flask purge failed")

    def _account(self, files: Sequence[Drawn], outcome: Outcome) -> Account:
        installation = self._scene.installation
        with psycopg.connect(installation.dsn) as connection:
            return account_for(
                connection,
                self._stored,
                files,
                outcome.attempts,
                self._reviewer.done,
                _jobs_left(installation.queue_url),
            )

    def _say(self, what: str) -> None:
        seconds = int(time.monotonic() - self._begun)
        print(f"{seconds // 60}:{seconds % 60:02d}  {what}", file=sys.stderr, flush=True)


def _shares(files: Sequence[Drawn], count: int) -> Iterator[list[Drawn]]:
    """Divide the files into so many shares of about one size."""
    for number in range(count):
        yield list(files[len(files) * number // count : len(files) * (number + 1) // count])


def _make_older(folder: Path, age: timedelta) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            then = path.stat().st_mtime - age.total_seconds()
            os.utime(path, (then, then))


def _jobs_left(url: str) -> list[str]:
    """Ids of the jobs that wait, are to come or count as running."""
    found: list[str] = []
    with Redis.from_url(url, decode_responses=True) as client:
        for name in QUEUE_NAMES:
            found += client.lrange(f"rq:queue:{name}", 0, -1)
            found += client.zrange(f"rq:scheduled:{name}", 0, -1)
            # Those of killed workers have no more than a while to live.
            found += client.zrangebyscore(f"rq:wip:{name}", time.time(), "+inf")
    return found
