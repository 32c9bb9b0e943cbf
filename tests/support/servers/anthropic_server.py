"""Anthropic's Messages endpoint on this machine, streamed and not, strict about what it is sent.

Shapes from https://docs.anthropic.com/en/api/messages, .../api/errors, .../docs/build-with-claude/streaming,
.../docs/build-with-claude/extended-thinking and .../docs/build-with-claude/vision.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tests.support.servers.loopback import LoopbackServer, Request, Response, event_stream, json_response
from tests.support.servers.sent_pictures import decoded

KEYS = frozenset(
    [
        "cache_control",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "output_config",
        "service_tier",
        "stop_sequences",
        "stream",
        "system",
        "temperature",
        "thinking",
        "tool_choice",
        "tools",
        "top_k",
        "top_p",
    ]
)
LEAST_BUDGET = 1024
EFFORTS = ("low", "medium", "high", "xhigh", "max")
#: Of models that take a number of tokens to think with; all others take the adaptive kind alone.
BUDGET_MODELS = ("claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5")
ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}
SIGNATURE = "EqQBCgIYAhIM1gbcDa9GJwZA2b3h"

Event = tuple[str, dict[str, Any]]
Behaviour = Response | Callable[[dict[str, Any]], Response]


def answer(
    content: object, *, tokens: tuple[int, int] = (120, 15), finish: str = "stop", thoughts: str = "Let me see."
) -> Behaviour:
    """A message that says `content` (an object is written as JSON), after `thoughts` where it is to think."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    reason = {"stop": "end_turn", "length": "max_tokens"}[finish]

    def reply(body: dict[str, Any]) -> Response:
        message = _message(body, text, thoughts, tokens, reason)
        return _streamed(_events(message)) if body.get("stream") else json_response(message)

    return reply


def refusal(status: int, message: str, **headers: str) -> Response:
    """An error as a whole answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return json_response(_error(ERROR_TYPES.get(status, "api_error"), message), status, named)


def too_many(retry_after: str | None = None) -> Response:
    headers = {"retry_after": retry_after} if retry_after is not None else {}
    return refusal(429, "This request would exceed your organization's rate limit", **headers)


def broken_by(kind: str, message: str = "Overloaded") -> Behaviour:
    """A stream that begins well and then tells of an error."""

    def reply(body: dict[str, Any]) -> Response:
        begun = [*_events(_message(body, "{", "Let me", (120, 1), "end_turn"))][:4]
        return _streamed([*begun, ("error", _error(kind, message))])

    return reply


def cut_off(body: dict[str, Any]) -> Response:
    """The connection goes in the middle of the stream."""
    whole = _streamed(_events(_message(body, "{}", "Let me", (120, 1), "end_turn")))
    return Response(200, whole.body, whole.headers, cut=True)


def ended_early(body: dict[str, Any]) -> Response:
    """The stream ends in order, without its last events."""
    return _streamed([*_events(_message(body, "{}", "Let me", (120, 1), "end_turn"))][:5])


def endless(body: dict[str, Any]) -> Response:
    """A stream that goes on thinking."""
    begun = _streamed([*_events(_message(body, "{}", "Let me", (120, 1), "end_turn"))][:2])
    more = _streamed([("content_block_delta", _delta(0, {"type": "thinking_delta", "thinking": "hm "}))])
    return Response(200, begun.body, begun.headers, endless=more.body)


class AnthropicServer(LoopbackServer):
    """Plays `script` in order, one behaviour a valid request; then `otherwise` for ever."""

    key = "sk-ant-loopback-0000"

    def __init__(self, *script: Behaviour, otherwise: Behaviour | None = None) -> None:
        super().__init__()
        self.script = list(script)
        self.otherwise = otherwise or refusal(500, "the script of this test has ended")
        #: Why requests were refused by the server itself; a test that expects none asserts that it is empty.
        self.faults: list[str] = []

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.json() for request in self.requests]

    def respond(self, request: Request) -> Response:
        if fault := _fault(request, self.key):
            self.faults.append(fault.body.decode())
            return fault
        behaviour = self.script.pop(0) if self.script else self.otherwise
        return behaviour if isinstance(behaviour, Response) else behaviour(request.json())


def _fault(request: Request, key: str) -> Response | None:
    if request.method != "POST" or request.path != "/v1/messages":
        return refusal(404, "Not found")
    # The API takes the key under either name; SDKs from 2.0 on send the second.
    if request.headers.get("x-api-key") != key and request.headers.get("authorization") != f"Bearer {key}":
        return refusal(401, "invalid x-api-key")
    if "anthropic-version" not in request.headers:
        return refusal(400, "anthropic-version: header is required")
    problem = _body_fault(request.json())
    return refusal(400, problem) if problem else None


def _body_fault(body: dict[str, Any]) -> str | None:
    if unknown := sorted(set(body) - KEYS):
        return f"{unknown[0]}: Extra inputs are not permitted"
    if missing := {"model", "max_tokens", "messages"} - set(body):
        return f"{sorted(missing)[0]}: Field required"
    if not all(item.get("role") in ("user", "assistant") and item.get("content") for item in body["messages"]):
        return "messages: text content blocks must be non-empty"
    if body["messages"][0]["role"] != "user":
        return "messages: first message must use the user role"
    if not all(map(_is_block, _blocks(body["messages"]))):
        return "messages: invalid content block"
    return _thinking_fault(body) or _effort_fault(body.get("output_config", {}))


def _blocks(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [block for item in messages if isinstance(item["content"], list) for block in item["content"]]


def _is_block(block: dict[str, Any]) -> bool:
    """A text, or a picture that is what it is said to be."""
    if block["type"] == "text":
        return set(block) == {"type", "text"} and bool(block["text"])
    source = block.get("source", {})
    return (
        set(block) == {"type", "source"}
        and block["type"] == "image"
        and set(source) == {"type", "media_type", "data"}
        and source["type"] == "base64"
        and decoded(source["data"], source["media_type"]) is not None
    )


def picture_urls(messages: list[dict[str, Any]]) -> list[str]:
    """All pictures of a request, as data addresses."""
    sources = [block["source"] for block in _blocks(messages) if block["type"] == "image"]
    return [f"data:{source['media_type']};base64,{source['data']}" for source in sources]


def _thinking_fault(body: dict[str, Any]) -> str | None:
    thinking = body.get("thinking", {"type": "disabled"})
    kind, by_number = thinking.get("type"), body["model"].startswith(BUDGET_MODELS)
    if not by_number and body.get("temperature", 1) != 1:
        return "`temperature` is not supported by this model"
    if kind == "disabled":
        return None
    if body.get("temperature", 1) != 1:
        return "`temperature` may only be set to 1 when thinking is enabled."
    if kind == "adaptive":
        return None if not by_number else "adaptive thinking is not supported on this model"
    if kind != "enabled" or not by_number:
        return "thinking: `enabled` is not supported by this model"
    if thinking["budget_tokens"] < LEAST_BUDGET:
        return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
    if thinking["budget_tokens"] >= body["max_tokens"]:
        return "`max_tokens` must be greater than `thinking.budget_tokens`."
    return None


def _effort_fault(config: dict[str, Any]) -> str | None:
    if set(config) - {"effort", "format"} or config.get("effort", "high") not in EFFORTS:
        return "output_config: invalid"
    return None


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_loopback"}


def _message(
    body: dict[str, Any], text: str, thoughts: str, tokens: tuple[int, int], reason: str
) -> dict[str, Any]:
    thinks = body.get("thinking", {}).get("type") in ("enabled", "adaptive")
    thinking = {"type": "thinking", "thinking": thoughts, "signature": SIGNATURE}
    return {
        "id": "msg_loopback",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [*([thinking] if thinks else []), {"type": "text", "text": text}],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens[0],
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": tokens[1],
        },
    }


def _events(message: dict[str, Any]) -> Iterator[Event]:
    usage = message["usage"]
    begun = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": begun}
    for index, block in enumerate(message["content"]):
        yield from _block_events(index, block)
        yield "ping", {"type": "ping"}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    # The counts of the last event are cumulative and hold those of the input as well.
    yield "message_delta", {"type": "message_delta", "delta": ending, "usage": usage}
    yield "message_stop", {"type": "message_stop"}


def _block_events(index: int, block: dict[str, Any]) -> Iterator[Event]:
    kind = block["type"]
    empty = {**block, kind: ""} | ({"signature": ""} if kind == "thinking" else {})
    yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
    said = block[kind]
    for part in filter(None, (said[: len(said) // 2], said[len(said) // 2 :])):
        yield "content_block_delta", _delta(index, {"type": f"{kind}_delta", kind: part})
    if kind == "thinking":
        signed = {"type": "signature_delta", "signature": block["signature"]}
        yield "content_block_delta", _delta(index, signed)
    yield "content_block_stop", {"type": "content_block_stop", "index": index}


def _delta(index: int, delta: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def _streamed(events: Iterable[Event]) -> Response:
    return event_stream((name, json.dumps(data, ensure_ascii=False)) for name, data in events)
