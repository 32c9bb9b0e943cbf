"""Serialiser of checkpoints: strict msgpack, without the texts of errors."""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer


class StrictSerializer(JsonPlusSerializer):
    """Deserialises only JSON types and LangGraph's own types.

    LangGraph stores `repr()` of an exception that a node raised, and a library's (such as a validation error)
    may quote the document. Only its class is stored.
    """

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """See `SerializerProtocol.dumps_typed`."""
        return super().dumps_typed(type(obj).__name__ if isinstance(obj, BaseException) else obj)
