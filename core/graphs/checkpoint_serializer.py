"""How values go into checkpoints: strict msgpack, and no words of an error."""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer


class StrictSerializer(JsonPlusSerializer):
    """Makes nothing but JSON types and LangGraph's own out of a checkpoint.

    LangGraph writes `repr()` of what a node raised; a foreign error (a validation error, say) may quote the
    document there. Only its class is kept.
    """

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """See `SerializerProtocol.dumps_typed`."""
        return super().dumps_typed(type(obj).__name__ if isinstance(obj, BaseException) else obj)
