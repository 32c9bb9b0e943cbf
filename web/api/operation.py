"""Declare an operation of the API: path, scope, query, body, reply, versions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import unwrap
from itertools import islice
from typing import Any, Protocol, TypeVar

from flask import Response, abort, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, ValidationError

from services.accounts.api_tokens import ScopeKey
from web.access import Rule, access
from web.api import blueprint
from web.api.protocol import InvalidRequest
from web.security.requests import unless_known

# Operations of the API: path, access rule and models.
#
# Requests are served and the OpenAPI document is generated from the same declarations.


Model = TypeVar("Model", bound=BaseModel)
View = Callable[..., Any]

JSON = "application/json"
MULTIPART = "multipart/form-data"
#: Limit of a request body in bytes, except for files.
_MAX_JSON = 2 * 1024 * 1024
#: Limit of values of a JSON body: a document of 2 MB has a hundred, a bulk decision some thousands.
_MAX_VALUES = 20_000
#: Matches what precedes a value, in the first group; strings are skipped.
_BEFORE_VALUE = re.compile(rb'"(?>(?:[^"\\]++|\\.)*)"?|([,\[{])', re.DOTALL)


@dataclass(frozen=True)
class Media:
    """An answer that is not JSON."""

    content_type: str
    about: str


@dataclass(frozen=True)
class Operation:
    """The parameters and answers of one method of one path."""

    id: str
    method: str
    #: In Flask's syntax, without the blueprint's prefix.
    path: str
    rule: Rule
    #: The scope that a token needs.
    scope: ScopeKey
    summary: str
    about: str
    tag: str
    query: type[BaseModel] | None
    body: type[BaseModel] | None
    #: Whether the body is a multipart form with files.
    multipart: bool
    #: None for no content (204).
    answer: type[BaseModel] | Media | None
    status: int
    #: The body of the 202 answer while `answer` is being made.
    meanwhile: type[BaseModel] | None
    #: Error statuses in addition to those implied by the other attributes.
    problems: frozenset[int]
    #: Whether it changes a versioned resource, so that If-Match is accepted.
    versioned: bool
    #: Whether the answer has an ETag, so that If-None-Match is accepted.
    conditional: bool


#: In the order they were declared.
OPERATIONS: list[Operation] = []


def operation(
    method: str,
    path: str,
    *,
    rule: Rule,
    answer: type[BaseModel] | Media | None,
    scope: ScopeKey | None = None,
    tag: str | None = None,
    multipart: bool = False,
    status: int | None = None,
    meanwhile: type[BaseModel] | None = None,
    problems: tuple[int, ...] = (),
    conditional: bool = False,
) -> Callable[[View], View]:
    """Declare a view; its name is the operationId, its docstring the summary and the description.

    The view is called with the path's variables, and with `query` and `body` if it has these, which are read into
    the models that it declares. It returns the object that `answer` is made from; a Response is sent unchanged.
    `scope`: by default `read` for GET, `write` for other methods. `tag`: the group of operations, if that is not
    the first part of the path. A body with a `version` makes the operation accept If-Match.
    """
    needed = scope or ("read" if method == "GET" else "write")

    def declare(view: View) -> View:
        models = _models(view)
        summary, _, about = re.sub(r"\n +", "\n", (view.__doc__ or "").strip()).partition("\n\n")
        described = Operation(
            id=view.__name__,
            method=method,
            path=path,
            rule=rule,
            scope=needed,
            summary=" ".join(summary.split()).rstrip("."),
            about=" ".join(about.split()),
            tag=tag or path.split("/")[1],
            query=models.get("query"),
            body=models.get("body"),
            multipart=multipart,
            answer=answer,
            status=status or (204 if answer is None else 200),
            meanwhile=meanwhile,
            problems=frozenset(problems),
            versioned="body" in models and "version" in models["body"].model_fields,
            conditional=conditional,
        )
        OPERATIONS.append(described)
        blueprint.add_url_rule(
            path, described.id, access(rule, needed)(_served(described, view)), methods=[method]
        )
        return view

    return declare


def _models(view: View) -> dict[str, type[BaseModel]]:
    """Return the models that the view declares for `query` and `body`."""
    bare = unwrap(view)
    names = {part: name for part, name in bare.__annotations__.items() if part in ("query", "body")}
    return {part: bare.__globals__[name] for part, name in names.items()}


def _served(described: Operation, view: View) -> View:
    @wraps(view)
    def serve(**given: Any) -> ResponseReturnValue:
        if described.query is not None:
            given["query"] = _parsed("query", described.query, request.args.to_dict())
        if described.body is not None:
            given["body"] = _form(described.body) if described.multipart else _json(described.body)
        return _response(described, view(**given))

    return serve


def _parsed(part: str, model: type[Model], given: dict[str, Any]) -> Model:
    try:
        return model.model_validate(given)
    except ValidationError as exc:
        raise InvalidRequest(part, exc) from exc


def _form(model: type[Model]) -> Model:
    if request.mimetype != MULTIPART:
        abort(415)
    files = {name: request.files.getlist(name) for name in request.files}
    return _parsed("body", model, {**request.form.to_dict(), **files})


def _json(model: type[Model]) -> Model:
    if not request.is_json:
        abort(415)
    if (request.content_length or 0) > _MAX_JSON:
        abort(413)
    data = request.get_data()
    if _has_too_many_values(data):
        abort(413)
    try:
        return model.model_validate_json(data)
    except ValidationError as exc:
        if exc.errors(include_url=False)[0]["type"] == "json_invalid":
            abort(400)
        raise InvalidRequest("body", exc) from exc


def _has_too_many_values(data: bytes) -> bool:
    """Count the values of a JSON text up to the limit, without keeping any."""
    found = (True for match in _BEFORE_VALUE.finditer(data) if match[1])
    return next(islice(found, _MAX_VALUES, None), False)


def _response(described: Operation, result: Any) -> Response:
    if isinstance(result, Response):
        return result
    if described.answer is None:
        return Response(status=described.status)
    assert not isinstance(described.answer, Media)
    shown = described.answer.model_validate(result)
    response = Response(shown.model_dump_json(), described.status, content_type=JSON)
    if (version := getattr(shown, "version", None)) is not None:
        response.set_etag(str(version))
    return response


def if_changed(state: object, shown: Callable[[], BaseModel]) -> Response:
    """Answer 304 if the client has this state, else with what is shown of it."""
    return unless_known(state, lambda: Response(shown().model_dump_json(), content_type=JSON))


# Read the version that a client has seen, from the body or If-Match.


class Versioned(Protocol):
    """Protocol of a body with an optional version."""

    version: int | None


def version_seen(body: Versioned) -> int:
    """Return the version. Aborts with 428 if none is given, 400 if the two differ or If-Match is not a version."""
    named = _if_match()
    if body.version is not None and named is not None and body.version != named:
        abort(400)
    version = body.version if body.version is not None else named
    if version is None:
        abort(428)
    return version


def _if_match() -> int | None:
    header = request.headers.get("If-Match")
    if header is None:
        return None
    tag = header.strip().strip('"')
    if not tag.isascii() or not tag.isdigit() or not 0 < int(tag[:11]) < 2**31:
        abort(400)
    return int(tag)
