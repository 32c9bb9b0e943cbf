"""The address that the app is served at: HOST and PORT, listened on before anything else is done."""

from __future__ import annotations

import errno
import socket

import click

from core.config import Settings


def address_of(settings: Settings, listener: socket.socket) -> str:
    """Return the URL to open in a browser, with the actual port if PORT is 0."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{listener.getsockname()[1]}"


def bound(settings: Settings) -> socket.socket:
    """Return a socket that listens on HOST and PORT. Raises click.ClickException if they are not available."""
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
