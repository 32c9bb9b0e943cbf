"""Fields of requests and answers of the API, and its errors by RFC 9457."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Protocol, TypeVar

from flask import Response, request
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    computed_field,
)

from core.errors import InvalidInputError
from core.messages import Message
from services.audit import LONGEST_NOTE
from web.access import API_ROOT
from web.i18n import say

CONTENT_TYPE = "application/problem+json"
#: Details for programs, which cannot use the sentences of the pages.
_DETAILS = {
    400: "The request was not understood: malformed JSON, or headers that contradict the body.",
    401: "Send a token of yours in the header `Authorization: Bearer …`; it must not be revoked or expired.",
    404: "This does not exist, or not for the person of this token.",
    405: "This address knows other methods; the header Allow names them.",
    415: "Send the content type that /api/v1/openapi.json names for this operation.",
    428: "Name the version that you saw: `version` in the body, or the item's ETag in the header If-Match.",
}
_CODES = {428: ("version_needed", "Which version?")}


#: Limits of the flaws in an answer, and of the characters of a key in a path, because clients choose the keys.
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
    # Report a value that a use case refuses like one that does not match the schema.
    status = 422 if shown.code == InvalidInputError.code else shown.status
    code, title = _CODES.get(status, (shown.code, shown.title))
    detail = f"{shown.detail} {shown.help}".strip() if shown.detail else _DETAILS.get(status, shown.help)
    what = shown.detail or None if status == 409 else None
    details: dict[str, Any] = (
        {"reason": shown.message.code, "params": dict(shown.message.params)} if shown.message else {}
    )
    return _problem(status, code, title, detail, who=shown.who, what=what, **details)


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


# Base classes and field types of the models of requests and answers.


_LONGEST = 100_000


def _not_endless(text: str) -> str:
    if len(text) > _LONGEST:
        raise ValueError(f"at most {_LONGEST} characters")
    return text


# Text without NUL, which PostgreSQL cannot store.
ShortText = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=200)]
Reason = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=LONGEST_NOTE)]
#: A field's value, including essays. The length is in the description, not the schema: tools that analyse
#: patterns fail on a large number.
Words = Annotated[
    str,
    StringConstraints(pattern=r"^[^\x00]*$"),
    AfterValidator(_not_endless),
    Field(description=f"At most {_LONGEST} characters."),
]
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Version = Annotated[
    int, Field(ge=1, lt=2**31, description="The version that was seen; it may stand in If-Match instead.")
]
Asked = Annotated[
    list[FieldName],
    Field(max_length=100, description="Of what is still missing then: what a letter asks for, until it comes."),
]
Waived = Annotated[
    list[FieldName],
    Field(max_length=100, description="What is missing and is accepted as it is; needs a `reason`."),
]
SeenVersion = Annotated[int, Field(ge=1, lt=2**31, description="The version that was seen.")]
Share = Annotated[float, Field(ge=0, le=1)]
# The cursor of a list by name contains a name.
Cursor = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]*$", max_length=1200)]


class RequestModel(BaseModel):
    """Base of models that clients send. Unknown names are errors."""

    model_config = ConfigDict(extra="forbid")


class ResponseModel(BaseModel):
    """Base of models in answers, built from the attributes of a use case's result."""

    model_config = ConfigDict(from_attributes=True)


class Told(ResponseModel):
    """A message: a stable code with its values for programs, and a sentence for people."""

    code: str
    params: dict[str, Any]

    @computed_field(description="For people, in the language that the client asks for.")  # type: ignore[prop-decorator]
    @property
    def detail(self) -> str:
        """The sentence of the code."""
        return say(Message(self.code, self.params))


class MayFailShape(ResponseModel):
    """Base of shapes with the error of failed work."""

    error_code: str | None
    error_params: dict[str, Any] = Field(description="The values that the code speaks of, by name.")

    @computed_field(description="What went wrong and what to do, for people.")  # type: ignore[prop-decorator]
    @property
    def error_message(self) -> str | None:
        """The sentence of the code."""
        return say(Message(self.error_code, self.error_params)) if self.error_code else None


Item = TypeVar("Item")


class ListPage(ResponseModel, Generic[Item]):
    """One page of a list, without a total."""

    rows: list[Item]
    next: str | None = Field(description="The `cursor` of the page after this one; null on the last.")
    previous: str | None = Field(description="The `cursor` of the page before this one; null on the first.")


class PageQuery(RequestModel):
    """Which page of a list."""

    cursor: Cursor | None = Field(None, description="`next` or `previous` of another page; none: the first.")
    limit: int = Field(50, ge=1, le=200, description="Rows a page.")
