"""The web server of the program, run in a thread on a free port."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flask import Flask
from waitress.wasyncore import close_all

from commands.serving import WebServer


@contextmanager
def serving(app: Flask) -> Iterator[int]:
    """Serve the site; yield the port on 127.0.0.1."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = WebServer(app.wsgi_app, listener, app.config["MAX_CONTENT_LENGTH"])
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            yield server.effective_port
        finally:
            server.task_dispatcher.shutdown()
            with suppress(OSError):
                server.trigger.pull_trigger(lambda: close_all(server._map, ignore_all=True))
            thread.join(timeout=10)
