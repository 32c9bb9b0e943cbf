"""Calls in a child process: what comes back, what each limit ends, and what a child cannot do."""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from core.config import ROOT
from core.confined import children
from core.confined.children import one_child, use_limits, within
from core.confined.isolation import can_leave_root
from core.confined.limits import ConfinedLimits
from core.confined.serve import Call, receive, send_message
from core.error_codes import Cost
from core.errors import DamagedDocumentError, EmptyDocumentError, TooCostlyError
from core.messages import Message
from tests.support.confined_calls import (
    Evil,
    connecting,
    crashing,
    giving,
    holding_out,
    keeping,
    kind_and_length,
    nested,
    pid_and_child,
    raising,
    resting,
    returning_a_call,
    rights,
    sleeping,
    taking,
    taking_here,
    telling_of_an_end,
    turning_for_ever,
    written,
)
from tests.support.embedded import wait_until

_WORK = "tests.support.confined_calls"
LIMITS = ConfinedLimits(memory_bytes=600 << 20, seconds=20.0, output_bytes=8 << 20)


@pytest.fixture(scope="module", autouse=True)
def new_nursery() -> None:
    """End the nursery; the next call starts another: what tests had it import counts as memory of a child."""
    if (running := children._children._nursery) is not None:
        running.shutdown(socket.SHUT_RDWR)
    if (process := children._children._started) is not None:
        process.wait(20)


@pytest.fixture(autouse=True)
def small_limits() -> Iterator[None]:
    use_limits(LIMITS)
    yield
    use_limits(ConfinedLimits())


def ended_by(call: Callable[..., object], *arguments: object) -> Message | None:
    with pytest.raises(TooCostlyError) as caught:
        call(*arguments)
    return caught.value.message


def test_a_call_runs_in_a_child_which_is_kept_for_the_next() -> None:
    pid, inside = pid_and_child()
    assert inside
    assert pid != os.getpid()
    assert pid_and_child()[0] == nested() == pid


def test_errors_of_our_own_cross_and_the_child_lives_on() -> None:
    before = pid_and_child()[0]
    with pytest.raises(EmptyDocumentError, match="nothing here"):
        raising("own")
    assert ended_by(raising, "cost") == Message.of(Cost.FIELDS, limit=7)
    for kind, name in (("other", "LookupError"), ("of others", "LeaseLostError")):
        with pytest.raises(DamagedDocumentError, match=name) as caught:
            raising(kind)
        assert "words of a child" not in str(caught.value)
    assert pid_and_child()[0] == before


def test_memory_is_limited() -> None:
    assert ended_by(taking, 700) == Message.of(Cost.MEMORY, megabytes=600)
    assert taking(100) == 100 << 20


def test_a_child_that_keeps_much_of_its_memory_is_not_kept_for_the_next() -> None:
    """Else whatever it reads next fails for want of memory, however small it is."""
    first = pid_and_child()[0]
    assert keeping(8) == first == keeping(300)
    second = pid_and_child()[0]
    assert second != first and taking(400) == 400 << 20
    assert pid_and_child()[0] == second


def test_a_call_may_have_less_memory_than_its_child() -> None:
    with one_child(_WORK) as child:
        with pytest.raises(TooCostlyError) as caught:
            child.call(taking_here, 100, memory_bytes=50 << 20)
        assert caught.value.message == Message.of(Cost.MEMORY, megabytes=50)
        assert child.call(taking_here, 100) == child.call(taking_here, 100, memory_bytes=200 << 20) == 100 << 20


def test_calls_of_one_piece_of_work_share_its_time() -> None:
    """Each of them may take less than a call, and whichever child answers."""
    with within(1.0) as budget:
        assert ended_by(resting_for_ever_in_parts) == Message.of(Cost.TIME, seconds=1)
        assert budget.used > 0.9
        assert ended_by(nested) == Message.of(Cost.TIME, seconds=1), "nothing is left for any other call"
    assert pid_and_child()[1], "what comes after it has its own time"


def test_time_that_was_taken_before_counts() -> None:
    with within(100.0, used=100.0):
        assert ended_by(nested) == Message.of(Cost.TIME, seconds=100)
    with within(100.0, used=99.5):
        assert ended_by(turning_for_ever) == Message.of(Cost.TIME, seconds=100)


def resting_for_ever_in_parts() -> None:
    while True:
        resting(0.05)


def test_output_is_limited() -> None:
    assert ended_by(giving, 9) == Message.of(Cost.OUTPUT, megabytes=8)
    assert len(giving(7)) == 7 << 20


@pytest.mark.parametrize("busy", [turning_for_ever, sleeping])
def test_time_is_limited_of_the_processor_and_of_the_clock(busy: Callable[[], None]) -> None:
    use_limits(LIMITS._replace(seconds=1.0))
    assert ended_by(busy) == Message.of(Cost.TIME, seconds=1)
    assert pid_and_child()[1]


def test_a_crash_is_an_error_of_the_file() -> None:
    with pytest.raises(DamagedDocumentError, match="crashed"):
        crashing()
    assert pid_and_child()[1]


@pytest.mark.parametrize("status", [-1, 0x7FFFFFFF, 0xFFFF, 0x137F, 0])
def test_what_a_child_says_of_its_own_end_is_an_error_of_the_file(status: int) -> None:
    with pytest.raises(DamagedDocumentError, match="crashed"), one_child(_WORK) as child:
        child.call(telling_of_an_end, status)
    assert pid_and_child()[1]


#: Asks a child of the process whose descriptors 0, 1 and 2 are those of the test.
_ASKING = """
import json, sys
from pathlib import Path
from core.confined.children import one_child
from tests.support.confined_calls import refused_of_standard_descriptors, saying
with one_child("tests.support.confined_calls") as child:
    said = child.call(refused_of_standard_descriptors)
saying("words of a child\\n")
Path(sys.argv[1]).write_text(json.dumps(said))
"""


@pytest.mark.parametrize("kind", ["terminal", "log", "socket", "pipe"])
def test_a_child_reads_no_terminal_and_moves_in_no_log(tmp_path: Path, kind: str) -> None:
    """Whatever the program writes to; what children write arrives there."""
    ours, theirs = _output(kind, tmp_path / "log")
    try:
        done = subprocess.run(
            [sys.executable, "-c", _ASKING, str(tmp_path / "said")],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0
        said = json.loads((tmp_path / "said").read_text())
        assert {what: outcome for what, outcome in said.items() if outcome.startswith("done")} == {
            # Of nothing, which is what it is given to read.
            "read 0": "done: b''",
            "read anew 0": "done: b''",
            "move 0": "done: 0",
        }
        os.set_blocking(ours, False)
        words = bytearray()

        def are_heard() -> bool:
            with suppress(BlockingIOError):
                words.extend(os.read(ours, 4096))
            return words.count(b"words of a child") == 2

        wait_until(are_heard)
        assert words.startswith(b"before") or kind != "log"
    finally:
        os.close(ours)
        os.close(theirs)


def _output(kind: str, log: Path) -> tuple[int, int]:
    """Two ends: from one is read what is written to the other, which can be read, too, but of a pipe."""
    if kind == "terminal":
        return os.openpty()
    if kind == "pipe":
        return os.pipe()
    if kind == "socket":
        ours, theirs = socket.socketpair()
        return ours.detach(), theirs.detach()
    log.write_bytes(b"before\n")
    return os.open(log, os.O_RDONLY), os.open(log, os.O_RDWR | os.O_APPEND)


def test_what_is_no_plain_data_is_not_answered() -> None:
    assert pickle.loads(pickle.dumps(Evil())) == 0
    with pytest.raises(DamagedDocumentError, match="the parser failed: TypeError"):
        returning_a_call()


def test_a_child_has_no_network_where_the_system_allows_that() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        outcome = connecting(server.getsockname()[1])
    if outcome == "connected":
        pytest.skip("no network namespaces here")
    assert outcome in ("OSError", "ConnectionRefusedError", "PermissionError")


def test_a_child_has_no_rights_of_root_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_TEST", "x")
    uid, knows = rights()
    assert not knows
    assert uid != 0 or not can_leave_root()


def test_a_child_writes_no_file() -> None:
    assert written(f"/tmp/confined-{os.getpid()}") != "written"


@pytest.mark.parametrize("busy", [sleeping, holding_out])
def test_a_child_ends_when_nobody_waits_for_it_any_more(busy: Callable[[], None]) -> None:
    pid = pid_and_child()[0]

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            busy()
    finally:
        signal.signal(signal.SIGALRM, before)
    wait_until(lambda: not psutil.pid_exists(pid))
    assert pid_and_child()[1]


def test_what_comes_on_the_line_in_the_meantime_does_not_end_a_child() -> None:
    """The system may wake the line's reader late, for a message that it has read by then."""
    with one_child(_WORK) as child:
        child.call(os.getpid)
        call = pickle.dumps(Call(time.sleep, (1.0,), 5.0), protocol=5)
        send_message(child._line, call)
        time.sleep(0.3)
        send_message(child._line, call)
        assert receive(child._line) is not None and receive(child._line) is not None


@pytest.mark.parametrize("length", [0, 10, 3 << 20])
def test_a_large_argument_is_sent_as_it_is(length: int) -> None:
    with one_child(_WORK) as child:
        for _ in range(2):
            assert child.call(kind_and_length, pickle.PickleBuffer(bytes(length))) == ("memoryview", length)


def test_a_killed_nursery_is_replaced() -> None:
    first = pid_and_child()[0]
    nursery = _parent_of(first)
    os.kill(nursery, signal.SIGKILL)
    with one_child(_WORK) as child:
        assert child.call(os.getpid) == first
        child.close()
    wait_until(lambda: not psutil.pid_exists(first))
    again = pid_and_child()[0]
    assert _parent_of(again) != nursery


def _parent_of(pid: int) -> int:
    with open(f"/proc/{pid}/status") as status:  # noqa: PTH123
        return next(int(line.split()[1]) for line in status if line.startswith("PPid"))


def test_a_forked_process_has_children_of_its_own() -> None:
    mine = pid_and_child()[0]
    told, end = os.pipe()
    if not (forked := os.fork()):
        try:
            os.write(end, str(pid_and_child()[0]).encode())
        finally:
            os._exit(0)
    os.waitpid(forked, 0)
    assert int(os.read(told, 20)) != mine
    assert pid_and_child()[0] == mine


@pytest.mark.parametrize("limit", ["_CALLS", "_AGE"])
def test_a_child_serves_other_files_for_so_long_only(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    before = pid_and_child()[0]
    assert pid_and_child()[0] == before
    monkeypatch.setattr(children, limit, 0)
    assert pid_and_child()[0] == before, "a call that comes before its end"
    wait_until(lambda: not psutil.pid_exists(before))
    assert pid_and_child()[0] != before


def test_threads_have_a_child_each_and_few_are_kept() -> None:
    found: list[int] = []
    together = threading.Barrier(5)

    def work() -> None:
        with one_child(_WORK) as child:
            together.wait(60)
            found.append(child.call(os.getpid))
            together.wait(60)

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 5
    wait_until(lambda: sum(map(psutil.pid_exists, found)) <= 2)
