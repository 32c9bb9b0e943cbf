"""A model in Groq's wire format that answers every schema from the schema and the question alone.

The same question has the same answer, whatever was asked before.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from tests.support.servers.groq_server import GroqServer, answer
from tests.support.servers.loopback import Response

_MARK = "It must fit this JSON schema:\n"


class AnsweringModel(GroqServer):
    """Keeps count of the prompts it was sent."""

    def __init__(self) -> None:
        super().__init__(otherwise=_reply)

    @property
    def prompts(self) -> Counter[str]:
        """How often each prompt came."""
        return Counter(json.dumps(body["messages"], sort_keys=True) for body in self.bodies)

    @property
    def repeated(self) -> int:
        """Requests that had been answered before."""
        return sum(self.prompts.values()) - len(self.prompts)


def _reply(body: dict[str, Any]) -> Response:
    system, user = body["messages"][0]["content"], body["messages"][-1]["content"]
    schema = json.loads(system.split(_MARK, 1)[1])
    made = answer(_value(schema, schema, user, "reply"))
    assert callable(made)
    return made(body)


def _value(schema: dict[str, Any], whole: dict[str, Any], user: str, path: str) -> Any:
    if "$ref" in schema:
        return _value(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole, user, path)
    if "anyOf" in schema:
        return _value(schema["anyOf"][0], whole, user, path)
    if "enum" in schema:
        return schema["enum"][_number(user, path) % len(schema["enum"])]
    match schema.get("type"):
        case "object":
            return {
                name: _value(inner, whole, user, f"{path}.{name}")
                for name, inner in schema.get("properties", {}).items()
            }
        case "array":
            count = max(schema.get("minItems", 2), 1)
            return [_value(schema.get("items", {}), whole, user, f"{path}.{place}") for place in range(count)]
        case "integer" | "number":
            return schema.get("minimum") or 1
        case "boolean":
            return True
        case "null":
            return None
        case _:
            return _sentence(user, path)[: schema.get("maxLength", 200)]


def _sentence(user: str, path: str) -> str:
    """Words of the prompt, others for each place of the reply; questions and queries that make sense."""
    if ".questions." in path:
        return f"What {'brings fathers into' if path.endswith('0') else 'do fathers cost'} school programmes?"
    if ".queries." in path:
        return f"fathers school {path.rpartition('.')[2]}"
    words = [word for word in user.split() if word.isalpha()] or ["fathers"]
    first = _number(user, path) % len(words)
    return " ".join((words + words)[first : first + 6])


def _number(user: str, path: str) -> int:
    return int(hashlib.sha256(f"{path} {user}".encode()).hexdigest()[:8], 16)
