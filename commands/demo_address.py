"""Reserve the address of the demo before anything is set up, and allow one demo for each data folder."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

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
        with _bound(settings) as listener:
            os.write(descriptor, address_of(settings, listener).encode())
            yield listener
    finally:
        os.close(descriptor)


def address_of(settings: Settings, listener: socket.socket) -> str:
    """Return the URL to open in a browser, with the actual port if PORT is 0."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{listener.getsockname()[1]}"


def _already_open(path: Path) -> str:
    address = path.read_text(encoding="utf-8")
    if not address:
        return "another demo is being started on the same data; wait until it names its address"
    return (
        f"the demo is open already at {address}; use it there, or end it with Ctrl-C before you start another one"
    )


def _bound(settings: Settings) -> socket.socket:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as exc:
        raise click.ClickException(f"HOST {settings.host} cannot be listened on ({exc.strerror})") from exc
    # Closing connections of an earlier demo must not block the port.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(place)
        # Binding alone would let another program still take the port.
        listener.listen()
    except OSError as exc:
        listener.close()
        raise click.ClickException(_why_not(settings, exc)) from exc
    return listener


def _why_not(settings: Settings, exc: OSError) -> str:
    if exc.errno == errno.EADDRINUSE:
        return f"port {settings.port} is taken by another program; set PORT to another one"
    return (
        f"port {settings.port} of {settings.host} cannot be listened on ({exc.strerror}); set PORT to another one"
    )
