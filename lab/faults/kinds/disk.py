"""A disk that is full, and given back."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.faults.scene import Kind, NotHereError, Scene

#: Bytes of the file system that VAR_DIR lies on: the servers, all originals and artifacts, and room to work.
SIZE = "700m"
_PIECE = 1 << 20


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a small file system below the folder for a block; None where that is not allowed."""
    place = folder / "disk"
    place.mkdir()
    options = f"size={SIZE},mode=755"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=False)


@contextmanager
def _full(scene: Scene) -> Iterator[str]:
    if scene.small_disk is None:
        raise NotHereError("no file system could be mounted: it needs root")
    ballast = scene.small_disk / "ballast"
    try:
        yield f"{_fill(ballast) >> 20} MB written until nothing was left"
    finally:
        ballast.unlink()


def _fill(path: Path) -> int:
    """Write until the disk is full, to the last byte; return the number of bytes."""
    with path.open("wb", buffering=0) as file:
        for piece in (_PIECE, 4096):
            try:
                while file.write(bytes(piece)) == piece:
                    pass
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
        return file.tell()


DISK = (Kind("disk_full", "no byte left on the disk of VAR_DIR, then all of it again", _full, 15.0),)
