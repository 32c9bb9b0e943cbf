"""Storage and a language model on this machine, each with a switch for how it behaves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from tests.support.servers.answering_model import AnsweringModel
from tests.support.servers.groq_server import answer, refusal
from tests.support.servers.loopback import DROPPED, GATEWAY_PAGE, Request, Response
from tests.support.servers.supabase_storage_server import BROKEN, SupabaseStorageServer

#: Seconds that a slow answer takes.
STORAGE_SECONDS, MODEL_SECONDS = 2.0, 6.0
#: The setting for one attempt at the model: less than a slow answer takes.
MODEL_TIMEOUT_SECONDS = 4.0
WELL, SLOW, BROKEN_DOWN, WRONG = "well", "slow", "broken", "wrong"


class _Switched:
    """How a server behaves, until it is switched again."""

    way = WELL
    #: Requests that were answered in another way than well.
    disturbed = 0

    @contextmanager
    def switched(self, way: str) -> Iterator[None]:
        """Behave in this way during the block."""
        self.way = way
        try:
            yield
        finally:
            self.way = WELL


class SwitchedStorage(_Switched, SupabaseStorageServer):
    """Supabase Storage that can be slow, broken, or answer with other things than were asked for."""

    def __init__(self) -> None:
        super().__init__(max_bytes=1 << 26)

    def make_older(self, age: timedelta) -> None:
        """Have all files seem to be older than they are."""
        self.age += age

    def handle(self, request: Request) -> Response:
        """Wait before the lock: slow answers must not wait for each other."""
        if self.way == SLOW:
            self.disturbed += 1
            time.sleep(STORAGE_SECONDS)
        with self._lock:
            return self.respond(request)

    def respond(self, request: Request) -> Response:
        """Answer, well or not."""
        if self.way == BROKEN_DOWN:
            self.disturbed += 1
            return BROKEN if self.disturbed % 2 else DROPPED
        if self.way == WRONG:
            self.disturbed += 1
            return GATEWAY_PAGE
        return super().respond(request)


class SwitchedModel(_Switched, AnsweringModel):
    """A model that can be slow, broken, or write what was not asked for."""

    def handle(self, request: Request) -> Response:
        """See `SwitchedStorage.handle`."""
        if self.way == SLOW:
            self.disturbed += 1
            time.sleep(MODEL_SECONDS)
        with self._lock:
            return self.respond(request)

    def respond(self, request: Request) -> Response:
        """Answer, well or not."""
        if self.way == BROKEN_DOWN:
            self.disturbed += 1
            return refusal(500, "Internal Server Error") if self.disturbed % 2 else DROPPED
        if self.way == WRONG:
            self.disturbed += 1
            return self._wrong(request)
        return super().respond(request)

    def _wrong(self, request: Request) -> Response:
        body: dict[str, Any] = request.json()
        texts = ('{"fields": [', "I am sorry, I cannot read this.", '{"surprise": true}')
        made = answer(texts[self.disturbed % len(texts)])
        return made if isinstance(made, Response) else made(body)
