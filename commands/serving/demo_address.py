"""Reserve the address of the demo before anything is set up, and allow one demo for each data folder."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from commands.serving.address import address_of, bound
from core.config import Settings
from core.embedded.locks import open_lock, try_exclusive

#: Name of the file that is locked while a demo runs; its content is the demo's address.
LOCK = "demo.lock"


@contextmanager
def listening(settings: Settings) -> Iterator[socket.socket]:
    """Yield a socket that listens on HOST and PORT; it is closed at the end of the block.

    Raises click.ClickException if a demo runs on the same data folder, naming its address, or if the port is not
    available.
    """
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    path = settings.var_dir / LOCK
    descriptor = open_lock(path)
    try:
        if not try_exclusive(descriptor):
            raise click.ClickException(_already_open(path))
        # Remove the address of a demo that was killed.
        os.ftruncate(descriptor, 0)
        with bound(settings) as listener:
            os.write(descriptor, address_of(settings, listener).encode())
            yield listener
    finally:
        os.close(descriptor)


def _already_open(path: Path) -> str:
    address = path.read_text(encoding="utf-8")
    if not address:
        return "another demo is being started on the same data; wait until it names its address"
    return (
        f"the demo is open already at {address}; use it there, or end it with Ctrl-C before you start another one"
    )
