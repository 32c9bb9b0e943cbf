"""Processes that outlive their parent, those of one data folder, and the kernel's locks."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from core.embedded.account import Account, open_own
from core.errors import EmbeddedServiceError

#: A log that has grown beyond this is set aside when the server is next started.
LOG_BYTES = 10 * 1024 * 1024


def spawn_detached(
    command: Sequence[str],
    *,
    account: Account,
    log: int,
    keep: Sequence[int],
    cwd: str = "/",
    environment: dict[str, str] | None = None,
) -> int:
    """Start a program as an orphan process and return its process id.

    The intermediate shell exits at once, so that a dead server never stays behind as a zombie of a living
    owner, with a process id that seems alive. The program has a session of its own (Ctrl-C does not reach it),
    writes to the descriptor `log` and keeps the descriptors `keep` open.
    """
    shell = ["/bin/sh", "-c", '"$@" </dev/null >&2 & echo $!', "sh", *command]
    started = subprocess.run(
        shell,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=cwd,
        env=environment if environment is not None else plain_environment(),
        pass_fds=keep,
        start_new_session=True,
        umask=0o077,
        check=True,
        **account.identity,
    )
    return int(started.stdout)


def plain_environment() -> dict[str, str]:
    """Return an environment without our variables, which hold secrets; PG* variables would affect the server."""
    return {"PATH": os.defpath, "LC_ALL": "C"}


def server_processes(tag: str, program: str, uid: int) -> list[psutil.Process]:
    """The living processes of `program`, run by `uid`, whose title carries the tag of a data folder.

    By title, not by working folder: root in a container may not ask for the latter.
    """
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            title = process.cmdline()
            ours = bool(title) and any(tag in part for part in title)
            if ours and Path(title[0].split(":")[0]).name.startswith(program) and process.uids().real == uid:
                found.append(process)
    return found


def signal_all(processes: Sequence[psutil.Process], number: signal.Signals) -> None:
    """Send a signal: SIGKILL to all processes, any other to those whose parent is not among them."""
    pids = {process.pid for process in processes}
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            if number == signal.SIGKILL or process.ppid() not in pids:
                process.send_signal(number)


def set_aside_large_log(path: Path) -> None:
    """Rename a log that has grown too large; one older log is kept."""
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.replace(path.with_suffix(".log.1"))


def tail(path: Path, lines: int = 12) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 8192))
        return "\n".join(file.read().decode("utf-8", "replace").splitlines()[-lines:])


# Kernel locks (`flock`), which are released when their last holder ends, even by a crash.
#
# A descriptor that is handed to a child keeps the lock for as long as the child or any fork of it lives. That
# is how a server proves that it still uses its data folder, and how owners are counted: reused process ids do no
# harm, and the kernel releases the lock of a process killed by SIGKILL.


#: The longest that a process holds the lock: initialising a data folder on a slow disk.
LOCK_SECONDS = 180.0


def try_exclusive(descriptor: int) -> bool:
    """Take the exclusive lock for this descriptor; False when another process has the lock."""
    return _try(descriptor, fcntl.LOCK_EX)


def try_shared(descriptor: int) -> bool:
    """Take a shared lock; False when another process has it exclusively."""
    return _try(descriptor, fcntl.LOCK_SH)


def open_lock(path: Path) -> int:
    """Open a lock file, created when missing, and return its descriptor; closing that releases the lock."""
    return open_own(path, os.O_RDWR)


def is_lock_held(path: Path) -> bool:
    """Whether any living process holds the lock, exclusive or shared."""
    descriptor = open_lock(path)
    try:
        return not try_exclusive(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def exclusive_lock(path: Path, seconds: float | None = None) -> Iterator[None]:
    """Hold the exclusive lock during the block.
    Raises EmbeddedServiceError when it is not free within `seconds` (default LOCK_SECONDS).
    """
    limit = time.monotonic() + (LOCK_SECONDS if seconds is None else seconds)
    descriptor = open_lock(path)
    try:
        while not try_exclusive(descriptor):
            if time.monotonic() > limit:
                raise EmbeddedServiceError(
                    f"Another process has held {path} for too long. End the program that hangs and start again."
                )
            time.sleep(0.02)
        yield
    finally:
        os.close(descriptor)


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
