"""Errors of the API in the format of RFC 9457, `application/problem+json`."""

from __future__ import annotations

from typing import Any, Protocol

from flask import Response, request
from pydantic import BaseModel, Field, ValidationError

from core.errors import InvalidInputError
from core.messages import Message
from web.negotiation import API_ROOT

CONTENT_TYPE = "application/problem+json"
#: What a page says of these is of no use to a program.
_DETAILS = {
    400: "The request was not understood: malformed JSON, or headers that contradict the body.",
    401: "Send a token of yours in the header `Authorization: Bearer …`; it must not be revoked or expired.",
    404: "This does not exist, or not for the person of this token.",
    405: "This address knows other methods; the header Allow names them.",
    415: "Send the content type that /api/v1/openapi.json names for this operation.",
    428: "Name the version that you saw: `version` in the body, or the item's ETag in the header If-Match.",
}
_CODES = {428: ("version_needed", "Which version?")}


#: Flaws that an answer names, and characters of a key in the path to one: a client has chosen the keys.
MOST_FLAWS = 20
_MOST_OF_KEY = 100


class Flaw(BaseModel):
    """One invalid value."""

    where: list[str | int] = Field(description="The path to the value, from the query or the body on.")
    what: str


class Problem(BaseModel):
    """An error, for programs (`code`) and for people (`detail`)."""

    type: str = Field(description="A URI that names the kind of problem; stable.")
    title: str
    status: int
    detail: str = Field(description="What exactly did not fit, and what to do. For people; may be reworded.")
    code: str = Field(description="Stable, for programs.")
    who: str | None = Field(description="Who was faster, where it was a person.")
    what: str | None = Field(description="What they did, or what has changed.")
    reason: str | None = Field(
        description="What exactly happened, as a stable code; None where `code` says it all."
    )
    params: dict[str, Any] = Field(description="The values that `reason` speaks of, by name.")
    flaws: list[Flaw] = Field(description=f"Values that do not fit, the first {MOST_FLAWS} of them.")


class InvalidRequest(Exception):
    """The query or the body does not match the schema."""

    def __init__(self, part: str, error: ValidationError) -> None:
        super().__init__(part)
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        self.flaws = [
            Flaw(where=[part, *(_shortened(step) for step in fault["loc"])], what=fault["msg"])
            for fault in faults[:MOST_FLAWS]
        ]


def _shortened(step: str | int) -> str | int:
    return step[:_MOST_OF_KEY] if isinstance(step, str) else step


class ShownError(Protocol):
    """Protocol of the errors prepared by `web.errors`."""

    @property
    def status(self) -> int: ...
    @property
    def code(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def help(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def who(self) -> str | None: ...
    @property
    def message(self) -> Message | None: ...


def is_api_request() -> bool:
    """Return whether the request is for the API, whose errors have the API's format."""
    return request.path.startswith(API_ROOT)


def error_problem(shown: ShownError) -> Response:
    """Return an application or HTTP error as a problem response."""
    # A value that a use case refuses is reported like one that does not match the schema.
    status = 422 if shown.code == InvalidInputError.code else shown.status
    code, title = _CODES.get(status, (shown.code, shown.title))
    detail = f"{shown.detail} {shown.help}".strip() if shown.detail else _DETAILS.get(status, shown.help)
    what = shown.detail or None if status == 409 else None
    told: dict[str, Any] = (
        {"reason": shown.message.code, "params": dict(shown.message.params)} if shown.message else {}
    )
    return _problem(status, code, title, detail, who=shown.who, what=what, **told)


def invalid_request(error: InvalidRequest) -> Response:
    """Return a 422 response that lists each invalid value."""
    detail = "The request does not fit the schema. Correct the values named in `flaws` and send it again."
    return _problem(422, "invalid_request", "That did not fit", detail, flaws=error.flaws)


def _problem(
    status: int, code: str, title: str, detail: str, *, flaws: list[Flaw] | None = None, **more: Any
) -> Response:
    given = {"who": None, "what": None, "reason": None, "params": {}, **more}
    kind = f"urn:second-reader:problem:{code}"
    shown = Problem(type=kind, title=title, status=status, detail=detail, code=code, flaws=flaws or [], **given)
    response = Response(shown.model_dump_json(), status, content_type=CONTENT_TYPE)
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="second-reader"'
    return response
