"""Collect a streamed reply within a time limit."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import cast

from langchain_core.messages import AIMessage, AIMessageChunk

#: Keys of the last piece's metadata that say why the reply ended.
_ENDINGS = ("stop_reason", "finish_reason")

#: Exceptions of `whole_reply`.
BROKEN_STREAM = (TimeoutError, ConnectionError)


def whole_reply(pieces: Generator[AIMessageChunk, None, None], until: float) -> AIMessage:
    """Return the concatenation of `pieces`.

    Raises TimeoutError when pieces still arrive at `until` (`time.monotonic()`), and ConnectionError when the
    last one is missing: a connection closed in the middle ends the iteration like a complete reply.
    """
    received: list[AIMessageChunk] = []
    for piece in pieces:
        received.append(piece)
        if time.monotonic() > until and piece.chunk_position != "last":
            # Closing the generator ends the request and calls the ledger's handler.
            pieces.close()
            raise TimeoutError("the reply took too long")
    reply = received[0] + received[1:]
    if not any(reply.response_metadata.get(name) for name in _ENDINGS):
        raise ConnectionError("the reply broke off")
    return cast("AIMessage", reply)
