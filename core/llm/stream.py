"""A reply that comes in pieces, put together within its time."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import cast

from langchain_core.messages import AIMessage, AIMessageChunk

#: Under one of these names the last piece says why the reply ended.
_ENDINGS = ("stop_reason", "finish_reason")

#: What `whole_reply` raises.
BROKEN_STREAM = (TimeoutError, ConnectionError)


def whole_reply(pieces: Generator[AIMessageChunk, None, None], until: float) -> AIMessage:
    """The sum of `pieces`.

    Raises TimeoutError when they still come at `until` (`time.monotonic()`), and ConnectionError when they end
    without the last one: a connection that was closed in the middle looks like the end.
    """
    received: list[AIMessageChunk] = []
    for piece in pieces:
        received.append(piece)
        if time.monotonic() > until and piece.chunk_position != "last":
            # Closing the generator ends the request, and the ledger's handler is told.
            pieces.close()
            raise TimeoutError("the reply took too long")
    reply = received[0] + received[1:]
    if not any(reply.response_metadata.get(name) for name in _ENDINGS):
        raise ConnectionError("the reply broke off")
    return cast("AIMessage", reply)
