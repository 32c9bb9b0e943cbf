"""Serve the site: `flask serve`, its address, its web server."""

from __future__ import annotations

import errno
import os
import resource
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import click
from flask.cli import with_appcontext
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.receiver import ChunkedReceiver
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher
from waitress.utilities import BadRequest, Error, RequestEntityTooLarge
from werkzeug.test import Client

from commands.opened import app_at_hand, opened_context
from core.config import STRANGERS_BYTES, Settings, get_settings
from core.confined.limits import kept_for_good
from core.embedded.account import drop_root
from core.embedded.process import open_lock, try_exclusive
from core.tracing.log import configure_logging

# The web server: waitress, which does not let unfinished requests keep it from answering others.


THREADS = 8
#: A separate thread answers this path, see `web.site`.
HEALTH_PATH = "/healthz"
#: Most connections at a time; fewer if the system limits the open files of this process.
CONNECTIONS = 1000
#: Seconds without a byte after which an idle connection is closed.
IDLE_SECONDS = 30
#: Seconds that the head of a request may take.
HEAD_SECONDS = 15
#: Seconds allowed for any body, and the bytes per second that it must reach after them.
BODY_SECONDS = 60
BODY_BYTES_PER_SECOND = 500
#: Most bytes of a request's head, and of a body kept in memory. Each connection may hold both.
HEAD_BYTES = 64 * 1024
BODY_BYTES = 64 * 1024
#: Most bytes of a chunk's head, or of the trailer after the last chunk; waitress limits neither.
CHUNK_HEAD_BYTES = 4 * 1024
#: Seconds between two checks of the connections.
LOOK_SECONDS = 2


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses a large body before it is read if the request has neither a cookie nor a token."""

    error: Error | None = None

    def received(self, data: bytes) -> int:
        """Take in bytes; return how many. See `HTTPRequestParser.received`."""
        taken = int(super().received(data))
        refused = self._why_refused() if self.headers_finished and self.error is None else None
        if refused is not None:
            self.error, self.completed, self.expect_continue = refused, True, False
        return taken

    def _why_refused(self) -> Error | None:
        known = "COOKIE" in self.headers or "AUTHORIZATION" in self.headers
        if not known and max(self.content_length, self.body_bytes_received) > STRANGERS_BYTES:
            return RequestEntityTooLarge(f"send at most {STRANGERS_BYTES} bytes before signing in")
        body = self.body_rcv
        if isinstance(body, ChunkedReceiver) and max(len(body.control_line), len(body.trailer)) > CHUNK_HEAD_BYTES:
            return BadRequest("the head of a chunk is too long")
        return None


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows when the request that is being received began."""

    parser_class = _Parser
    begun: float | None = None

    def received(self, data: bytes) -> bool:
        """Take in bytes. See `HTTPChannel.received`."""
        taken = bool(super().received(data))
        if self.request is None:
            self.begun = None
        elif self.begun is None:
            self.begun = time.time()
        return taken

    def is_too_slow(self, now: float) -> bool:
        """Return whether the request that is being received takes longer than allowed."""
        request, begun = self.request, self.begun
        if request is None or begun is None:
            return False
        if not request.headers_finished:
            return now - begun > HEAD_SECONDS
        seconds = now - begun - BODY_SECONDS
        return seconds > 0 and len(request.body_rcv or b"") < seconds * BODY_BYTES_PER_SECOND


class _Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Threads that answer requests, and one more for the health check alone, so that it works under any load."""

    def __init__(self) -> None:
        super().__init__()
        self._health = ThreadedTaskDispatcher()
        self._health.set_thread_count(1)
        self.set_thread_count(THREADS)

    def add_task(self, task: HTTPChannel) -> None:
        """Have a thread answer the next request of a connection."""
        # A request whose first line could not be read has no path.
        if task.requests and getattr(task.requests[0], "path", None) == HEALTH_PATH:
            self._health.add_task(task)
        else:
            super().add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """End the threads. See `ThreadedTaskDispatcher.shutdown`."""
        self._health.shutdown(cancel_pending, timeout)
        return bool(super().shutdown(cancel_pending, timeout))


class WebServer(TcpWSGIServer):  # type: ignore[misc]
    """Serves an app on a listening socket. `run()` ends on KeyboardInterrupt."""

    channel_class = _Channel

    def __init__(self, application: Any, listener: socket.socket, body_bytes: int) -> None:
        """`body_bytes`: limit of the body of any request."""
        limits = Adjustments(
            sockets=[listener],
            connection_limit=min(CONNECTIONS, _open_files() // 2),
            channel_timeout=IDLE_SECONDS,
            max_request_header_size=HEAD_BYTES,
            max_request_body_size=body_bytes + 1,
            inbuf_overflow=BODY_BYTES,
            cleanup_interval=LOOK_SECONDS,
            # `select` knows 1024 open files at most.
            asyncore_use_poll=True,
            # The app itself trusts TRUSTED_PROXIES proxies; waitress would remove their headers.
            clear_untrusted_proxy_headers=False,
        )
        place = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(
            application, _sock=listener, adj=limits, dispatcher=_Dispatcher(), bind_socket=False, sockinfo=place
        )

    def maintenance(self, now: float) -> None:
        """Close connections that are idle or too slow; called each LOOK_SECONDS.

        Raises KeyboardInterrupt if the process was asked to end and still runs: Python ignores what is raised
        while it finalises an object, such as one of hundreds of connections that are closed at once.
        """
        if _was_asked_to_end:
            raise KeyboardInterrupt
        super().maintenance(now)
        for channel in self.active_channels.values():
            if channel.is_too_slow(now):
                channel.will_close = True


def run_alone(server: WebServer) -> None:
    """Run the server in a process that does nothing else. Ends on KeyboardInterrupt.

    A first request of its own has the app load its pages.
    """
    with kept_for_good():
        Client(server.application).get(HEALTH_PATH)
    server.run()


def _open_files() -> int:
    """Return how many files this process may have open, after asking for twice CONNECTIONS."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return 2 * CONNECTIONS if soft == resource.RLIM_INFINITY else soft


# Turn termination signals into KeyboardInterrupt, so that `finally` blocks run.


_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_on_signals() -> None:
    """Raise KeyboardInterrupt on SIGINT, SIGTERM and SIGHUP, also if the shell had SIGINT ignored."""
    for number in _ENDS:
        signal.signal(number, _end)


def ignore_signals() -> None:
    """Ignore these signals from now on, so that repeated Ctrl-C does not interrupt the clean-up."""
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)


_was_asked_to_end = False


def _end(_number: int, _frame: FrameType | None) -> None:
    global _was_asked_to_end
    _was_asked_to_end = True
    raise KeyboardInterrupt


# Reserve the address of the demo before anything is set up, and allow one demo for each data folder.


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
            os.write(descriptor, browser_url(settings, listener).encode())
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


# Listen on HOST and PORT before anything else is done.


def browser_url(settings: Settings, listener: socket.socket) -> str:
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
        # After bind() alone another program could still take the port.
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


# `flask serve`: run the web server.


@click.command("serve")
@with_appcontext
def serve() -> None:
    """Serve requests until stopped; any number of processes can run, each on its own port."""
    settings = get_settings()
    configure_logging(settings)
    end_on_signals()
    with bound(settings) as listener:
        drop_root(settings)
        with opened_context(settings):
            server = WebServer(app_at_hand(), listener, settings.max_request_bytes)
            click.echo(f"Second Reader is open at {browser_url(settings, listener)}. Press Ctrl-C to stop.")
            run_alone(server)
