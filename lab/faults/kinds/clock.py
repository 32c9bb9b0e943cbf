"""Workers whose clocks are wrong by hours, on the same database and queue."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.faults.installation import ROOT
from lab.faults.scene import Kind, NotHereError, Scene

_OFFSETS = ("+3h", "-3h")
#: The library of the Debian package faketime for programs with threads.
_LIBRARY = "*/faketime/libfaketimeMT.so.1"
#: Seconds that a worker has to finish its job.
_GRACE_SECONDS = 60.0


def wrong_clock(offset: str, root: Path = ROOT) -> dict[str, str]:
    """Return the variables by which a Python program's clock is wrong by so much. Raises NotHereError.

    `root` is where the program finds this checkout.
    """
    library = next(Path("/usr/lib").glob(_LIBRARY), None)
    if library is None:
        raise NotHereError("the package faketime is not installed")
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME": offset,
        # Time that only passes is left as it is: shifted, waits for locks would never end.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "PYTHONPATH": str(root / "lab/faults/clock"),
    }


@contextmanager
def _apart(scene: Scene) -> Iterator[str]:
    befores = [[f"{name}={value}" for name, value in wrong_clock(offset).items()] for offset in _OFFSETS]
    odd = [scene.installation.start_worker(*before) for before in befores]
    try:
        yield f"two more workers, at {' and '.join(_OFFSETS)}"
    finally:
        for process in odd:
            process.terminate()
        for process in odd:
            _wait_for(process)


def _wait_for(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


CLOCK = (Kind("clocks_apart", "two more workers, one three hours ahead and one three hours behind", _apart, 25.0),)
