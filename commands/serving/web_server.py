"""The web server: waitress, which does not let unfinished requests keep it from answering others."""

from __future__ import annotations

import resource
import socket
import time
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.receiver import ChunkedReceiver
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher
from waitress.utilities import BadRequest, Error, RequestEntityTooLarge

from core.config import STRANGERS_BYTES

THREADS = 8
#: What one thread more answers, see `web.health`.
HEALTH_PATH = "/healthz"
#: Connections at a time, at most; fewer where the system allows this process fewer open files.
CONNECTIONS = 1000
#: Seconds without a byte after which a connection without a request under way is closed.
IDLE_SECONDS = 30
#: Seconds that the head of a request may take.
HEAD_SECONDS = 15
#: Seconds that a body may take whatever it weighs, and how many bytes a second it must bring after that.
BODY_SECONDS = 60
BODY_BYTES_PER_SECOND = 500
#: Bytes of the head of a request, and of a body before it goes to disk. Each connection may hold both in memory.
HEAD_BYTES = 64 * 1024
BODY_BYTES = 64 * 1024
#: Bytes of a chunk's head, or of what follows the last chunk; waitress bounds neither.
CHUNK_HEAD_BYTES = 4 * 1024
#: Seconds between two looks at the connections.
LOOK_SECONDS = 2


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Ends a request before its body is read where nothing in it could be from somebody who is signed in."""

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
        """Whether the request that is being received takes longer than a request may."""
        request, begun = self.request, self.begun
        if request is None or begun is None:
            return False
        if not request.headers_finished:
            return now - begun > HEAD_SECONDS
        seconds = now - begun - BODY_SECONDS
        return seconds > 0 and len(request.body_rcv or b"") < seconds * BODY_BYTES_PER_SECOND


class _Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Threads that answer requests, and one more that is for the health check alone: however many others are being
    answered, monitoring learns that the program runs."""

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
    """Serves an app on a socket that listens. `run()` ends by KeyboardInterrupt."""

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
            # The app believes as many proxies as TRUSTED_PROXIES says; waitress would remove what they write.
            clear_untrusted_proxy_headers=False,
        )
        place = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(
            application, _sock=listener, adj=limits, dispatcher=_Dispatcher(), bind_socket=False, sockinfo=place
        )

    def maintenance(self, now: float) -> None:
        """Close connections that are idle or too slow; called each LOOK_SECONDS."""
        super().maintenance(now)
        for channel in self.active_channels.values():
            if channel.is_too_slow(now):
                channel.will_close = True


def _open_files() -> int:
    """Return how many files this process may have open, after asking for twice CONNECTIONS."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return 2 * CONNECTIONS if soft == resource.RLIM_INFINITY else soft
