"""Processes and mounts of their own: both are gone when the first process of the namespace ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

_UNSHARE = ("unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc")


def run_apart(
    script: Path, *arguments: str, network: bool = False, variables: Mapping[str, str] | None = None
) -> int:
    """Run a Python script in namespaces of its own, with these variables besides, and return its exit status."""
    apart = [*_UNSHARE, *(["--net"] if network else [])]
    told = ["env", *(f"{name}={value}" for name, value in (variables or {}).items())]
    with subprocess.Popen([*apart, *told, sys.executable, str(script), *arguments]) as process:
        try:
            return process.wait()
        except BaseException:
            process.kill()  # the kernel then kills what it started; gentler signals it does not take
            raise


def as_init(work: Callable[[], int]) -> int:
    """Do the work in a child and collect orphans meanwhile, as the first process of a system does.

    Without that an ended daemon would stay as a zombie, and programs that look for its process would find it.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = work()
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            sys.stdout.flush()
            os._exit(status)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        ended, status = os.wait()
        if ended == child:
            return os.waitstatus_to_exitcode(status)


def others() -> list[str]:
    """The command lines of all living processes here, but for this one and the first."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) not in (1, os.getpid()):
            try:
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            except OSError:
                continue
            if command:  # zombies have none
                found.append(f"{folder.name} {command}")
    return found
