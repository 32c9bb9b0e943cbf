"""The client of a provider's API, and the types of its answers, which database and JSON can store.

An error names the provider and the kind of failure, never the content of request or answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from typing import Annotated, Any, TypeVar

import httpx
from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    Field,
    OnErrorOmit,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from core.retry import Attempts
from research.sources.base import SourceRefusedError, SourceUnavailableError
from research.sources.passages import clean
from research.sources.web.exchange import Bounds, Pace, direct_transport, exchange

R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")

_MARKUP = re.compile(r"</?[A-Za-z][\w:-]*(\s[^<>]*)?/?>")
_YEAR = re.compile(r"(1[5-9]|20)\d\d")
#: Most characters of a title, name or identifier.
_LONGEST = 500


def _without_nulls(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of an answer; a null is the same as a missing field."""
    return {name: value for name, value in fields if value is not None}


def at(*path: str, default: Any = "") -> Any:
    """Return a field whose value is found by this path of names in the answer."""
    return Field(default, validation_alias=AliasPath(*path))


def unmarked(text: str) -> str:
    """Return the text on one line, without markup and entities."""
    return " ".join(clean(_MARKUP.sub("", unescape(text))).split())


def _line(value: object) -> str:
    return unmarked(value[: 2 * _LONGEST])[:_LONGEST] if isinstance(value, str) else ""


def _year(value: object) -> int | None:
    found = _YEAR.match(str(value)) if type(value) in (str, int) else None
    return int(found[0]) if found else None


def _some(given: Any, read: ValidatorFunctionWrapHandler) -> Any:
    found = read(given)
    if given and not found:
        raise ValueError("nothing that could be read")
    return found


#: A text; empty if the value is not a string.
Said = Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")]
#: A title or name without markup and entities; empty if the value is not a string.
Line = Annotated[str, BeforeValidator(_line)]
#: The year of a number or at the start of a date, or None.
Year = Annotated[int | None, BeforeValidator(_year)]
#: The items of a list without malformed ones; invalid if all are malformed.
Many = Annotated[tuple[OnErrorOmit[T], ...], WrapValidator(_some)]


@dataclass(frozen=True)
class Service:
    """A provider's API. Each request opens a new connection, so none is shared across a fork."""

    name: str
    #: Base URL without a trailing slash.
    url: str
    #: They carry the key: URLs end up in logs, headers do not.
    headers: Mapping[str, str] = field(repr=False)
    attempts: Attempts
    pace: Pace
    bounds: Bounds

    def get(self, shape: type[R], path: str, **params: str | int) -> R:
        """Return the answer to a GET request below the base URL.

        Raises SourceUnavailableError, also for an answer of another shape, or SourceRefusedError.
        """
        return self.attempts(lambda: self._attempt(shape, "GET", path, params=params))

    def post(self, shape: type[R], path: str, body: Mapping[str, Any]) -> R:
        """Return the answer to a POST request, like `get`; values of the body that are None are not sent."""
        sent = {name: value for name, value in body.items() if value is not None}
        return self.attempts(lambda: self._attempt(shape, "POST", path, json=sent))

    def _attempt(self, shape: type[R], method: str, path: str, **sent: Any) -> R:
        request = self._request(method, path, **sent)
        answer = exchange(self.name, request, direct_transport(), self.bounds, self.pace)
        if answer.status != httpx.codes.OK:
            # Redirects are not followed: they would carry the key to another host.
            raise SourceRefusedError(f"{self.name}: http_{answer.status}")
        # Errors are raised outside their handlers: the causes quote the answer, or the key.
        with suppress(ValueError, RecursionError):
            # Halves of surrogate pairs, as in texts that JavaScript cut, become question marks.
            said = json.loads(answer.body, object_pairs_hook=_without_nulls)
            return shape.model_validate_json(json.dumps(said, ensure_ascii=False).encode(errors="replace"))
        raise SourceUnavailableError(f"{self.name}: an answer of another shape")

    def _request(self, method: str, path: str, **sent: Any) -> httpx.Request:
        with suppress(httpx.InvalidURL, ValueError):
            return httpx.Request(
                method, self.url + path, headers={"Accept": "application/json", **self.headers}, **sent
            )
        raise SourceRefusedError(f"{self.name}: its address or key cannot be sent")
