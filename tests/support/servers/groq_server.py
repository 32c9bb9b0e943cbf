"""Groq's chat completions endpoint on this machine, strict about what it is sent.

Shapes from https://console.groq.com/docs/api-reference#chat-create, .../docs/errors and .../docs/vision. The same
answers stand under `/v1/chat/completions` in OpenAI's shape.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from core.plain_data import token_count
from tests.support.servers.loopback import LoopbackServer, Request, Response, event_stream, json_response
from tests.support.servers.sent_pictures import decoded

COMMON_KEYS = frozenset(
    [
        "frequency_penalty",
        "function_call",
        "functions",
        "logit_bias",
        "logprobs",
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "n",
        "parallel_tool_calls",
        "presence_penalty",
        "reasoning_effort",
        "response_format",
        "seed",
        "service_tier",
        "stop",
        "store",
        "stream",
        "stream_options",
        "temperature",
        "tool_choice",
        "tools",
        "top_logprobs",
        "top_p",
        "user",
    ]
)
GROQ_KEYS = COMMON_KEYS | frozenset(
    [
        "citation_options",
        "compound_custom",
        "disable_tool_validation",
        "documents",
        "exclude_domains",
        "include_domains",
        "include_reasoning",
        "reasoning_format",
        "search_settings",
    ]
)
KEYS_BY_PATH = {"/openai/v1/chat/completions": GROQ_KEYS, "/v1/chat/completions": COMMON_KEYS}

#: Limits of https://console.groq.com/docs/vision.
MOST_PICTURES, MOST_BASE64 = 5, 4 * 1024 * 1024

Behaviour = Response | Callable[[dict[str, Any]], Response]


def answer(content: object, *, tokens: tuple[int, int] = (120, 15), finish: str = "stop") -> Behaviour:
    """A completion that says `content` (an object is written as JSON)."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)

    def reply(body: dict[str, Any]) -> Response:
        whole = _completion(body["model"], text, tokens, finish)
        return _streamed(whole, body) if body.get("stream") else json_response(whole)

    return reply


def refusal(status: int, message: str, code: str | None = None, **headers: str) -> Response:
    """An error in Groq's shape."""
    error = {"message": message, "type": "invalid_request_error" if status < 500 else "internal_server_error"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return json_response({"error": error | ({"code": code} if code else {})}, status, named)


def too_many(retry_after: str | None = None) -> Response:
    headers = {"Retry_After": retry_after} if retry_after is not None else {}
    return refusal(429, "Rate limit reached for model", "rate_limit_exceeded", **headers)


def invalid_json(generation: str) -> Response:
    """What Groq answers in JSON mode when the model wrote something that is no JSON."""
    error = {
        "message": "Failed to generate JSON. Please adjust your prompt.",
        "type": "invalid_request_error",
        "code": "json_validate_failed",
        "failed_generation": generation,
    }
    return json_response({"error": error}, 400)


class GroqServer(LoopbackServer):
    """Plays `script` in order, one behaviour a valid request; then `otherwise` for ever."""

    key = "gsk_loopback_key_0000"

    def __init__(self, *script: Behaviour, otherwise: Behaviour | None = None) -> None:
        super().__init__()
        self.script = list(script)
        self.otherwise = otherwise or refusal(500, "the script of this test has ended")
        #: Why requests were refused by the server itself; a test that expects none asserts that it is empty.
        self.faults: list[str] = []

    @property
    def openai_url(self) -> str:
        return f"{self.url}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.json() for request in self.requests]

    @property
    def tokens_sent(self) -> list[tuple[int, int]]:
        """Tokens of the system part and of the rest, for each request."""
        texts = [[_text(message) for message in body["messages"]] for body in self.bodies]
        return [(token_count(first), sum(map(token_count, rest))) for first, *rest in texts]

    def respond(self, request: Request) -> Response:
        if fault := _fault(request, self.key):
            self.faults.append(fault.body.decode())
            return fault
        behaviour = self.script.pop(0) if self.script else self.otherwise
        return behaviour if isinstance(behaviour, Response) else behaviour(request.json())


def _fault(request: Request, key: str) -> Response | None:
    allowed = KEYS_BY_PATH.get(request.path)
    if request.method != "POST" or allowed is None:
        return refusal(404, f"Unknown request URL: {request.method} {request.path}.", "unknown_url")
    if request.headers.get("authorization") != f"Bearer {key}":
        return refusal(401, "Invalid API Key", "invalid_api_key")
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        return refusal(400, "Content-Type must be application/json")
    try:
        body = request.json()
    except ValueError:
        return refusal(400, "request body is not valid JSON")
    problem = _body_fault(body, allowed)
    return refusal(400, problem) if problem else None


def _body_fault(body: Any, allowed: frozenset[str]) -> str | None:
    if not isinstance(body, dict):
        return "request body must be an object"
    if unknown := sorted(set(body) - allowed):
        return f"property '{unknown[0]}' is unsupported"
    if not isinstance(body.get("model"), str) or not body["model"]:
        return "'model' : property is missing"
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages or not all(_is_message(item) for item in messages):
        return "'messages' : must be a list of messages"
    mode = (body.get("response_format") or {"type": "text"}).get("type")
    if mode not in ("text", "json_object", "json_schema"):
        return "'response_format.type' : unknown"
    if picture_fault := _pictures_fault(messages):
        return picture_fault
    if mode == "json_object" and not any("json" in _text(item).lower() for item in messages):
        return (
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        )
    return None


def _is_message(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and item.get("role") in ("system", "user", "assistant", "tool")
        and (isinstance(item.get("content"), str) or _is_content(item))
        and set(item) <= {"role", "content", "name", "tool_calls", "tool_call_id"}
    )


def _is_content(item: dict[str, Any]) -> bool:
    """Texts and pictures, as only a user sends them."""
    parts = item.get("content")
    return item["role"] == "user" and isinstance(parts, list) and bool(parts) and all(map(_is_part, parts))


def _is_part(part: Any) -> bool:
    if not isinstance(part, dict):
        return False
    if part.get("type") == "text":
        return set(part) == {"type", "text"} and isinstance(part["text"], str)
    url = part.get("image_url")
    return (
        set(part) == {"type", "image_url"}
        and part["type"] == "image_url"
        and isinstance(url, dict)
        and set(url) <= {"url", "detail"}
        and isinstance(url.get("url"), str)
    )


def _text(item: dict[str, Any]) -> str:
    content = item["content"]
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


def picture_urls(messages: list[dict[str, Any]]) -> list[str]:
    """The addresses of all pictures of a request."""
    lists = [item["content"] for item in messages if isinstance(item["content"], list)]
    return [part["image_url"]["url"] for parts in lists for part in parts if part["type"] == "image_url"]


def _pictures_fault(messages: list[dict[str, Any]]) -> str | None:
    urls = picture_urls(messages)
    if len(urls) > MOST_PICTURES:
        return f"too many images: {len(urls)}"
    for url in urls:
        head, _, data = url.partition(";base64,")
        if len(data) > MOST_BASE64:
            return "image is too large"
        if decoded(data, head.removeprefix("data:")) is None:
            return "invalid image data"
    return None


def _completion(model: str, text: str, tokens: tuple[int, int], finish: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-00000000-0000-4000-8000-000000000000",
        "object": "chat.completion",
        "created": 1763600000,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "logprobs": None,
                "finish_reason": finish,
            }
        ],
        "usage": {
            "queue_time": 0.018,
            "prompt_tokens": tokens[0],
            "prompt_time": 0.003,
            "completion_tokens": tokens[1],
            "completion_time": 0.05,
            "total_tokens": sum(tokens),
            "total_time": 0.053,
        },
        "system_fingerprint": "fp_loopback",
        "x_groq": {"id": "req_loopback"},
        "service_tier": "on_demand",
    }


def _streamed(whole: dict[str, Any], body: dict[str, Any]) -> Response:
    """The completion in chunks, the tokens in one of their own where they were asked for."""
    [choice] = whole["choices"]
    said = choice["message"]["content"]
    deltas = [{"role": "assistant", "content": ""}, {"content": said[:7]}, {"content": said[7:]}]
    shell = {**{key: whole[key] for key in ("id", "created", "model")}, "object": "chat.completion.chunk"}
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]})
    chunks = [{**shell, "choices": [one]} for one in choices]
    if (body.get("stream_options") or {}).get("include_usage"):
        chunks.append({**shell, "choices": [], "usage": whole["usage"]})
    return event_stream([*((None, json.dumps(chunk, ensure_ascii=False)) for chunk in chunks), (None, "[DONE]")])
