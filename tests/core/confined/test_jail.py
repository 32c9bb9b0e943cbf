"""What a taken-over parser tries is refused, as root and on a plain account; what a system lacks is named."""

from __future__ import annotations

import errno
import json
import os
import pickle
import resource
import signal
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.config import ROOT
from core.confined.children import one_child
from core.confined.isolation import (
    _LOOKED_AT,
    _REFUSED,
    LIBC,
    Protection,
    _numbers,
    assembled,
    can_leave_root,
    for_process,
)
from core.confined.limits import ConfinedLimits, impose
from core.confined.serve import Call, send_message
from core.embedded.account import Account
from tests.support.confined_limits import limited
from tests.support.embedded import fresh_var, ordinary_python, wait_until
from tests.support.jail_probes import DONE, REFUSED, in_fork, start_threads
from tests.support.services import quick_folder

_PLAIN = Account(12345, 12345)
#: What each protection refuses without the others. Of a group, Landlock lets the child signal itself alone.
_BY_LANDLOCK = {
    "read the key",
    "list the folder of the key",
    "overwrite a file",
    "create a file",
    "delete a file",
    "connect by TCP",
    "listen",
    "trace who asks",
    "read the environment of who asks",
    "read the memory of who asks",
    "signal who asks",
    "signal its own parent",
    "execute",
}
_BY_CALLS = {
    "overwrite a file",
    "create a file",
    "open a file to all",
    "watch a folder",
    "connect to valkey",
    "connect by TCP",
    "listen",
    "trace who asks",
    "signal who asks",
    "signal its own parent",
    "signal its group",
    "have signals sent",
    "be told of changes",
    "ask for a lease",
    "control a descriptor",
    "sync disks",
    "limit who asks",
    "execute",
    "start a process",
    "make a namespace",
    "share memory",
    "delete a file",
}
#: What is refused whatever the kernel gives.
_ALWAYS = {"use what is inherited", "lift its processor time"}
#: What a system may refuse to every process: namespaces of users, within a changed root (user_namespaces(7)).
_REFUSED_BY_SOME_SYSTEMS = {"make a namespace"}


@pytest.fixture
def folder() -> Iterator[Path]:
    with fresh_var(quick_folder()) as var:
        var.mkdir(mode=0o755)
        yield var


def tried(folder: Path, servers: str, lacking: str = "", account: Account | None = None) -> dict[str, Any]:
    """What `tests.support.jail_probes` prints, run on an account."""
    python, environment = (sys.executable, dict(os.environ)) if account is None else ordinary_python(account)
    if account is not None:
        os.chown(folder, account.uid, account.gid)
    done = subprocess.run(
        [python, "-m", "tests.support.jail_probes", str(folder), servers, lacking],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        **({} if account is None else account.identity),
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def refused(said: dict[str, Any]) -> set[str]:
    """The tries that a child is refused; outside of it all are done that the system allows."""
    outcomes = said["outcomes"]
    assert {name for name, (_, outside) in outcomes.items() if outside != DONE} <= _REFUSED_BY_SOME_SYSTEMS
    return {name for name, (inside, _) in outcomes.items() if inside.startswith(REFUSED)}


def test_a_child_that_lifts_its_timers_ends_of_processor_time() -> None:
    if not (child := os.fork()):
        with suppress(BaseException):
            impose(ConfinedLimits(seconds=0.02))
            signal.signal(signal.SIGXCPU, signal.SIG_IGN)
            signal.setitimer(signal.ITIMER_REAL, 0)
            hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
            resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
            while time.process_time() < 20:
                pass
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another")
def test_threads_are_limited_where_a_child_has_an_id_of_its_own() -> None:
    assert in_fork(start_threads, (False,)) == DONE
    assert in_fork(start_threads, (True,)) == f"{REFUSED}: EAGAIN"


def fill_and_end() -> None:
    """Leave no place in the pipe that tells of this process's end."""
    for number in range(3, 64):
        with suppress(OSError):
            while stat.S_ISFIFO(os.fstat(number).st_mode):
                os.write(number, bytes(4096))
    os._exit(0)


def test_a_full_pipe_does_not_hold_up_the_nursery() -> None:
    with limited(memory_mb=600, seconds=5.0), one_child(__name__) as filled:
        ended = filled.call(os.getpid)
        send_message(filled._line, pickle.dumps(Call(fill_and_end, (), 5.0), protocol=5))
        wait_until(lambda: not psutil.pid_exists(ended))
        with one_child(__name__) as other:
            assert other.call(os.getpid) != ended
        filled.close()


#: Landlock's version is asked by its first call; prctl(PR_GET_SECCOMP) says whether there are filters.
all_given = pytest.mark.skipif(
    LIBC.syscall(444, None, 0, 1) < 6 or LIBC.prctl(21) < 0, reason="this kernel has no Landlock 6, or no seccomp"
)


@all_given
def test_all_is_refused_as_we_are(folder: Path) -> None:
    said = tried(folder, "postgres valkey")
    assert refused(said) == set(said["outcomes"]) and {"connect to postgres", "connect to valkey"} <= refused(said)
    assert (str(Protection.RIGHTS) in said["missing"]) == (os.geteuid() == 0 and not can_leave_root())


@all_given
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another")
def test_all_is_refused_on_a_plain_account(folder: Path) -> None:
    said = tried(folder, "valkey", account=_PLAIN)
    assert refused(said) == set(said["outcomes"]) and "connect to valkey" in refused(said)
    assert str(Protection.RIGHTS) not in said["missing"]


@all_given
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another")
@pytest.mark.parametrize(
    ("lacking", "missing", "still"),
    [
        ("calls network", {"calls", "network"}, _BY_LANDLOCK),
        ("files network", {"files", "outside", "network"}, _BY_CALLS),
        ("files calls network", {"files", "outside", "calls", "network"}, set()),
    ],
)
def test_each_protection_holds_alone_and_what_lacks_is_named(
    folder: Path, lacking: str, missing: set[str], still: set[str]
) -> None:
    said = tried(folder, "valkey", lacking, _PLAIN)
    assert set(said["missing"]) == missing
    outcomes = said["outcomes"]
    assert {name for name, (inside, _) in outcomes.items() if inside.startswith(REFUSED)} == _ALWAYS | still | (
        {"make a namespace"} if "network" in lacking else set()
    )


def answer(steps: bytes, number: int, *arguments: int, architecture: int) -> int:
    """Run a filter as the kernel does (linux/bpf_common.h)."""
    shown = struct.pack("=IIQ6Q", number, architecture, 0, *(*arguments, *[0] * 6)[:6])
    program = list(struct.iter_unpack("=HBBI", steps))
    at = held = 0
    while True:
        code, if_so, if_not, value = program[at]
        at += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            held = int.from_bytes(shown[value : value + 4], "little")
        else:
            passes = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += if_so if passes else if_not


_NUMBERS = {
    # machine: (architecture, socket, execve, read, openat, clone, clone3, kill)
    "x86_64": (0xC000003E, 41, 59, 0, 257, 56, 435, 62),
    "aarch64": (0xC00000B7, 198, 221, 63, 56, 220, 435, 129),
}


@pytest.mark.parametrize("machine", _NUMBERS)
def test_the_filter_of_each_machine(machine: str) -> None:
    architecture, socket, execve, read, openat, clone, clone3, kill = _NUMBERS[machine]
    made = assembled(machine)
    assert made is not None and assembled("sparc") is None
    steps = for_process(made, 77)

    def told(number: int, *arguments: int) -> str:
        said = answer(steps, number, *arguments, architecture=architecture)
        return "allowed" if said == 0x7FFF0000 else errno.errorcode[said & 0xFFFF]

    assert [told(number) for number in (socket, execve, kill)] == ["EPERM"] * 3
    refused = {number for number in range(451) if told(number) == "EPERM"}
    looked_at = _numbers(_LOOKED_AT, machine).values()
    assert refused - set(looked_at) == set(_numbers(_REFUSED, machine).values())
    assert told(read) == told(openat, 0, 0, os.O_RDONLY | os.O_CLOEXEC) == told(kill, 77, 9) == "allowed"
    assert told(openat, 0, 0, os.O_WRONLY) == told(openat, 0, 0, os.O_CREAT) == told(kill, 78, 9) == "EPERM"
    assert told(clone, 17) == "EPERM" and told(clone, 0x3D0F00) == "allowed"
    fcntl, ioctl = (_numbers(_LOOKED_AT, machine)[name] for name in ("fcntl", "ioctl"))
    assert [one for one in range(1100) if told(fcntl, 0, one) == "allowed"] == [0, 1, 2, 3, 1030]
    assert [one for one in range(0x5400, 0x5500) if told(ioctl, 0, one) == "allowed"] == [
        0x5401,
        0x541B,
        0x5450,
        0x5451,
    ]
    assert [told(ioctl, 0, one) for one in (0x8901, 0x8902, 0x40086602)] == ["EPERM"] * 3
    asynchronous = (206, 207, 208, 209, 210, 333) if machine == "x86_64" else (0, 1, 2, 3, 4, 292)
    assert {told(number) for number in asynchronous} == {"EPERM"}
    assert told(clone3) == told(451) == told(read | 0x40000000) == "ENOSYS"
    assert answer(steps, read, architecture=0x40000003) == 0x80000000
