"""Classify failed attempts: retry later, ask differently, or give up.

The errors of the `groq`, `openai` and `anthropic` packages share their names and attributes (all are generated
by Stainless), so one reading serves them without importing any.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import ModelError, ModelReplyError, ModelUnavailableError
from core.http_retry import may_pass, seconds_to_wait

#: Groq's name for "the model wrote something that is not JSON in JSON mode"; a 400, but a matter of the reply.
REPLY_CODES = frozenset({"json_validate_failed"})

#: Anthropic's names for errors that come in the middle of a stream, whose status is 200 by then.
#: https://docs.anthropic.com/en/api/errors
STATUS_BY_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}

#: Parts of the names of errors that come without a status. A reply cut at its limit is `LengthFinishReasonError`,
#: a stream that was closed because its time was over tells the ledger of a `GeneratorExit`.
CODES_BY_NAME = (
    ("Timeout", "timeout"),
    ("GeneratorExit", "timeout"),
    ("Connection", "connection"),
    ("Protocol", "connection"),
    ("ReadError", "connection"),
    ("FinishReason", "reply"),
)


def error_code(error: BaseException) -> str:
    """A short stable code for the ledger: `http_429`, `timeout`, `connection`, `reply`, `malformed`."""
    if status := _status(error):
        return "reply" if _provider_word(error, "code") in REPLY_CODES else f"http_{status}"
    name = type(error).__name__
    return next((code for part, code in CODES_BY_NAME if part in name), "malformed")


def translate(error: BaseException, provider: str) -> ModelError:
    """Return the typed error for an exception of a provider's package.

    Only the code is carried over: a provider's message may quote the prompt or the answer.
    """
    code = error_code(error)
    detail = f"{provider}: {code}"
    if code == "reply":
        return ModelReplyError(detail)
    if code.startswith("http_"):
        status = int(code.removeprefix("http_"))
        if may_pass(status):
            return ModelUnavailableError(detail, retry_after=_asked_to_wait(error))
        return ModelError(detail)
    return ModelUnavailableError(detail)


def _asked_to_wait(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return seconds_to_wait(headers.get("retry-after")) if isinstance(headers, Mapping) else None


def _status(error: BaseException) -> int | None:
    """Return the response's status, or the one that matches the error's type where a stream began with 200."""
    stated = getattr(error, "status_code", None)
    if isinstance(stated, int) and stated >= 400:
        return stated
    return STATUS_BY_TYPE.get(_provider_word(error, "type") or "")


def _provider_word(error: BaseException, name: str) -> str | None:
    """Return the value of `name` in the provider's error body, None where it is not a string."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    word = inner.get(name) if isinstance(inner, Mapping) else None
    return word if isinstance(word, str) else None
