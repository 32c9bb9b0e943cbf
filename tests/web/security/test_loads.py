"""What one sender can ask of the web process: it stays below 600 MB and answers others meanwhile."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from itertools import repeat
from pathlib import Path
from socket import create_connection
from types import SimpleNamespace

import pytest

from core.config import ROOT, Settings
from services.accounts.api_tokens import make_token
from services.context import Context
from tests.support import factories
from tests.support.office import environment
from tests.support.site import person, tidy_context

MEGABYTE = 1024 * 1024
#: Kilobytes that the process may have had in memory at any moment.
MOST_KB = 600 * 1024
URLENCODED = {"Content-Type": "application/x-www-form-urlencoded"}
pytestmark = pytest.mark.slow


class Server(SimpleNamespace):
    """A web server in a process of its own."""

    port: int
    pid: int
    #: The header of somebody who may upload, decide and export.
    signed: dict[str, str]

    def send(self, path: str, body: object, headers: dict[str, str]) -> int:
        """Post a body, bytes or an iterator of such; return the status."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            # It may answer before it has read all.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request("POST", path, body=body, headers=headers)  # type: ignore[arg-type]
            try:
                answer = connection.getresponse()
                self.longest = max(self.longest, len(answer.read()))
                return answer.status
            except ConnectionResetError:
                return 413

    def is_well(self) -> bool:
        """Whether it answers."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200

    def peak(self) -> int:
        """The most kilobytes that the process has had in memory since it started."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0])


@pytest.fixture(scope="module")
def started(common_settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One process for all loads: what one of them leaves in memory counts for the next too."""
    settings = common_settings.model_copy(update={"var_dir": tmp_path_factory.mktemp("loads")})
    with tidy_context(settings) as context, serving(context) as server:
        yield server


@pytest.fixture
def server(started: Server) -> Server:
    started.longest = 0
    return started


@contextmanager
def serving(context: Context) -> Iterator[Server]:
    with context.database.session() as session:
        factories.make_season(session)
    token = make_token(context, person(context, "admin").id, "load", 1)
    command = [sys.executable, "-m", "flask", "--app", "flask_app", "serve"]
    # On a machine that is busy with other tests, large files take long to store.
    patience = {"STORE_WAIT_SECONDS": "30"}
    given = {**environment(context.settings), **patience, "PORT": "0", "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, cwd=ROOT, env=given, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = next(filter(None, (re.search(r"http://127\.0\.0\.1:(\d+)", line) for line in process.stdout)))
            signed = {"Authorization": f"Bearer {token}"}
            yield Server(port=int(found[1]), pid=process.pid, signed=signed, longest=0)
        finally:
            process.terminate()


def names(length: int) -> bytes:
    return b"".join(b"%x&" % number for number in range(length // 4))[:length]


def undo(server: Server, number: int) -> int:
    """What somebody with a cookie that says nothing sends."""
    cookie = {"Cookie": "second_reader=x"} if number % 2 else {}
    return server.send("/review/undo", names(MEGABYTE), URLENCODED | cookie)


def fields(server: Server, number: int) -> int:
    return server.send("/api/v1/batches", names(8 * MEGABYTE), URLENCODED | server.signed)


def long_fields(server: Server, number: int) -> int:
    return server.send("/api/v1/batches", b"a=" + b"%F0%9F%98%80" * 600_000, URLENCODED | server.signed)


def unknown_keys(server: Server, number: int) -> int:
    body = b"{" + b",".join(b'"%x":1' % key for key in range(190_000))[: 2 * MEGABYTE - 10] + b'":1}'
    return server.send("/api/v1/exports", body, {"Content-Type": "application/json"} | server.signed)


def some_unknown_keys(server: Server, number: int) -> int:
    body = b"{" + b",".join(b'"%0100d":1' % key for key in range(19_000)) + b"}"
    return server.send("/api/v1/exports", body, {"Content-Type": "application/json"} | server.signed)


def uploads(server: Server, number: int) -> int:
    """A request of 80 MB, in files of one."""
    head = b'--b\r\nContent-Disposition: form-data; name="files"; filename="%d.pdf"\r\n\r\n'
    file = head % number + bytes([number + 1]) * MEGABYTE + b"\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=b", "Content-Length": str(80 * len(file) + 5)}
    parts = (part for part in (*repeat(file, 80), b"--b--"))
    return server.send("/api/v1/batches", parts, kind | server.signed)


def documents(server: Server, number: int) -> int:
    """A document of 200 MB."""
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="%d.pdf"\r\n\r\n' % number
    length = len(head) + 200 * MEGABYTE + 7
    kind = {"Content-Type": "multipart/form-data; boundary=b", "Content-Length": str(length)}
    parts = (part for part in (head, *repeat(bytes(MEGABYTE), 200), b"\r\n--b--"))
    return server.send("/api/v1/documents", parts, kind | server.signed)


@pytest.mark.parametrize(
    ("load", "times", "at_once", "statuses"),
    [
        (undo, 60, 8, {413, 401}),
        (fields, 16, 8, {413}),
        (long_fields, 16, 8, {422, 415, 413}),
        (unknown_keys, 16, 8, {413}),
        (some_unknown_keys, 16, 8, {422, 413}),
        (uploads, 6, 6, {201}),
        (documents, 3, 3, {413}),
    ],
)
def test_a_load(
    server: Server, load: Callable[[Server, int], int], times: int, at_once: int, statuses: set[int]
) -> None:
    with ThreadPoolExecutor(at_once) as pool:
        sent = [pool.submit(load, server, number) for number in range(times)]
        while not all(one.done() for one in sent):
            assert server.is_well()
    assert {one.result() for one in sent} <= statuses
    assert server.longest < 64 * 1024
    assert server.is_well() and server.peak() < MOST_KB


def test_many_unfinished_bodies_and_heads(server: Server) -> None:
    """Each connection holds what it has sent in memory, until it is enough to go to disk."""
    head = b"POST /upload HTTP/1.1\r\nHost: localhost\r\nCookie: a=b\r\n"
    body = head + b"Content-Length: 400000\r\n\r\n" + b"x" * 399_000
    chunk = head + b"Transfer-Encoding: chunked\r\n\r\n" + b"0" * 399_000
    with ExitStack() as parts:
        for number in range(900):
            connection = parts.enter_context(create_connection(("127.0.0.1", server.port), timeout=60))
            try:
                connection.sendall(chunk if number % 3 == 0 else body)
            except OSError:
                assert number % 3 == 0, "only what can be no request is cut off"
        assert server.is_well() and server.peak() < MOST_KB
