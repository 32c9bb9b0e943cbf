"""The people who hand files in, over HTTP; what each attempt was told is kept."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from urllib.parse import urlsplit

import httpx

from lab.faults.material import Drawn

#: What an attempt was told: the files are there, they are not there, or nothing that says so.
ACKNOWLEDGED, REFUSED, UNKNOWN = "acknowledged", "refused", "unknown"
#: Codes of answers that say that it is not known whether the files are there.
_UNSURE = frozenset({"upload_unconfirmed"})
#: Of a proxy that has lost the server, or got no answer of it in time.
_GATEWAY = (502, 504)
_TIMEOUT = httpx.Timeout(90.0, connect=5.0)
#: Seconds until a file that was not acknowledged is sent again.
_AGAIN_SECONDS = 1.0


@dataclass(frozen=True)
class Attempt:
    """One file in one request."""

    #: Unique: the row of the file tells by it which attempt it came from.
    filename: str
    digest: str
    told: str
    #: Status and code of the answer, or the name of what cut it off.
    answer: str


class Sender:
    """Sends what is put before it from two threads, each file until it is acknowledged."""

    def __init__(self, token: str, seed: int) -> None:
        self._headers = {"Authorization": f"Bearer {token}"}
        self._rng = Random(f"sender:{seed}")
        self._waiting: queue.Queue[Sequence[Drawn] | None] = queue.Queue()
        self._lock = threading.Lock()
        self._number = 0
        self._under_way = 0
        #: The web servers that may be asked; the first is the one of the installation.
        self.urls: list[str] = []
        self.attempts: list[Attempt] = []
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(2)]

    def start(self, url: str) -> None:
        """Begin to send to this web server."""
        self.urls = [url]
        for thread in self._threads:
            thread.start()

    def put(self, files: Sequence[Drawn]) -> None:
        """Have these files sent, most of them alone, some three in a request."""
        rest = list(files)
        while rest:
            count = 3 if self._rng.random() < 0.12 else 1
            with self._lock:
                self._under_way += 1
            self._waiting.put(rest[:count])
            rest = rest[count:]

    @property
    def unsent(self) -> int:
        """How many requests were not acknowledged yet."""
        with self._lock:
            return self._under_way

    def wait(self, seconds: float) -> bool:
        """Wait until everything is acknowledged; return whether it is."""
        limit = time.monotonic() + seconds
        while self.unsent and time.monotonic() < limit:
            time.sleep(0.1)
        return not self.unsent

    def stop(self) -> None:
        """End the threads once what they have in hand is acknowledged."""
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join(timeout=120)

    def cut_off(self, file: Drawn) -> None:
        """Send half of a file and close the connection: it must not be there afterwards."""
        filename = self._name(file)
        request = httpx.Request(
            "POST", self._address(), headers=self._headers, files=[("files", (filename, file.data))]
        )
        body = request.read()
        place = urlsplit(self.urls[0])
        head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
        start = f"POST {urlsplit(str(request.url)).path} HTTP/1.1\r\n{head}\r\n".encode()
        with suppress(OSError), socket.create_connection((str(place.hostname), int(place.port or 0)), 5) as line:
            line.sendall(start + body[: len(body) // 2])
        self._note(filename, file, REFUSED, "cut off by the sender")

    def _work(self) -> None:
        while (files := self._waiting.get()) is not None:
            while not self._send(files):
                time.sleep(_AGAIN_SECONDS)
            with self._lock:
                self._under_way -= 1

    def _send(self, files: Sequence[Drawn]) -> bool:
        named = [(self._name(file), file) for file in files]
        told, answer = self._ask([("files", (name, file.data)) for name, file in named])
        for name, file in named:
            self._note(name, file, told, answer)
        return told == ACKNOWLEDGED

    def _ask(self, parts: list[tuple[str, tuple[str, bytes]]]) -> tuple[str, str]:
        try:
            answer = httpx.post(self._address(), headers=self._headers, files=parts, timeout=_TIMEOUT)
        except httpx.ConnectError:
            return REFUSED, "ConnectError"
        except httpx.HTTPError as error:
            return UNKNOWN, type(error).__name__
        if answer.status_code == 201:
            return ACKNOWLEDGED, "201"
        code = _code_of(answer)
        unsure = code in _UNSURE or answer.status_code in _GATEWAY
        return UNKNOWN if unsure else REFUSED, f"{answer.status_code} {code}"

    def _address(self) -> str:
        with self._lock:
            return f"{self.urls[self._number % len(self.urls)]}/api/v1/batches"

    def _name(self, file: Drawn) -> str:
        with self._lock:
            self._number += 1
            return f"attempt-{self._number:04d}{file.suffix}"

    def _note(self, filename: str, file: Drawn, told: str, answer: str) -> None:
        with self._lock:
            self.attempts.append(Attempt(filename, file.digest, told, answer))


def _code_of(answer: httpx.Response) -> str:
    try:
        return str(answer.json().get("code"))
    except (ValueError, AttributeError):
        return "no problem in JSON"
