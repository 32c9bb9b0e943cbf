"""The OpenAPI document, from the operations."""

from __future__ import annotations

import json
import re
import uuid
from functools import lru_cache
from typing import Any

from flask import Response
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from services.accounts.person import Person, Role
from web.access import get_person
from web.api import blueprint
from web.api.operation import JSON, MULTIPART, OPERATIONS, Media, Operation, operation
from web.api.protocol import CONTENT_TYPE, Problem, ResponseModel


@blueprint.get("/openapi.json", "public")
def openapi() -> Response:
    return Response(_written(), content_type=JSON)


@lru_cache(maxsize=1)
def _written() -> str:
    # Built at the first request, when every module of the API has declared its operations.
    return json.dumps(openapi_document(OPERATIONS, blueprint.url_prefix or ""))


# The owner of the token.


class Me(ResponseModel):
    """The owner of the token."""

    id: uuid.UUID
    name: str
    email: str
    role: Role


@operation("GET", "/me", rule="signed_in", answer=Me)
def who_am_i() -> Person:
    """Return the owner of the token."""
    return get_person()


# Generate the OpenAPI 3.1 document from the declared operations.


Json = dict[str, Any]

_VARIABLE = re.compile(r"<(\w+)(?:\([^()]*+\))?:(\w+)>")
_CONVERTERS: dict[str, Json] = {
    "uuid": {"type": "string", "format": "uuid"},
    "int": {"type": "integer", "minimum": 1, "maximum": 999_999},
}
_MEANINGS = {
    400: "The request cannot be understood.",
    401: "No token, or one that is revoked, expired or of an account that is shut.",
    403: "The role of the token's person does not allow this, or the token was made for other scopes.",
    404: "It does not exist, or not for this person.",
    409: "Somebody was faster: `who` and `what` say whom and what.",
    413: "More or larger content than one request may hold.",
    415: "The content is not of the type that is described here.",
    422: "A value does not fit; `flaws` names each where the schema tells.",
    428: "The version that was seen is missing: name it in the body or in If-Match.",
    429: "So much is not allowed to one person within a day.",
    503: "The database or the file store does not answer, or too much waits; try again after `Retry-After`.",
    507: "There is no room for more files.",
}
_IF_MATCH: Json = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": "The version that was seen, as the item's ETag gives it; instead of `version` in the body.",
    "schema": {"type": "string", "pattern": '^"[1-9][0-9]{0,8}"$'},
}
_IF_NONE_MATCH: Json = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "The ETag that the client has: 304 while nothing has changed.",
    "schema": {"type": "string"},
}


def openapi_document(operations: list[Operation], prefix: str) -> Json:
    """Return the whole document; `prefix` is put before all paths."""
    paths: dict[str, Json] = {}
    schemas = _schemas(operations)
    for one in operations:
        paths.setdefault(prefix + path_of(one), {})[one.method.lower()] = _operation(one, schemas)
    queries = {one.query.__name__ for one in operations if one.query is not None}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Second Reader",
            "version": "1",
            "description": "The review desk for programs: upload files, follow them, decide proposals and "
            "escalations, correct and reopen entries, mend splits; ask for reports, follow and fetch them.",
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "tags": [{"name": tag} for tag in dict.fromkeys(one.tag for one in operations)],
        "paths": paths,
        "components": {
            "schemas": {name: schema for name, schema in schemas.items() if name not in queries},
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token that a person made for themself, with their role.",
                }
            },
        },
    }


def path_of(one: Operation) -> str:
    """Return the path with OpenAPI variables (`{name}`), without the prefix."""
    return _VARIABLE.sub(lambda found: "{" + found[2] + "}", one.path)


def _schemas(operations: list[Operation]) -> dict[str, Json]:
    wanted: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {(Problem, "serialization"): None}
    for one in operations:
        for given in (one.query, one.body):
            if given is not None:
                wanted[given, "validation"] = None
        for answer in (one.answer, one.meanwhile):
            if answer is not None and not isinstance(answer, Media):
                wanted[answer, "serialization"] = None
    _, found = models_json_schema(list(wanted), ref_template="#/components/schemas/{model}")
    schemas: dict[str, Json] = found["$defs"]
    _shut(schemas)
    return schemas


def _shut(node: Any) -> None:
    """Add `additionalProperties: false` to objects with key patterns, which Pydantic enforces but omits."""
    if isinstance(node, list):
        for value in node:
            _shut(value)
    elif isinstance(node, dict):
        if "patternProperties" in node:
            node["additionalProperties"] = False
        for value in node.values():
            _shut(value)


def _operation(one: Operation, schemas: dict[str, Json]) -> Json:
    described: Json = {
        "operationId": one.id,
        "summary": one.summary,
        "tags": [one.tag],
        "parameters": [*_path_parameters(one), *_query_parameters(one, schemas), *_headers(one)],
        "responses": {str(status): answer for status, answer in sorted(_responses(one).items())},
    }
    allowed = "anybody, without a token" if one.rule == "public" else _ROLES[one.rule]
    described["description"] = f"{one.about} For {allowed}. Scope: `{one.scope}`.".strip()
    if one.rule == "public":
        described["security"] = []
    if one.body is not None:
        content = {MULTIPART if one.multipart else JSON: {"schema": _ref(one.body)}}
        described["requestBody"] = {"required": True, "content": content}
    return described


_ROLES = {
    "signed_in": "every role",
    "uploader": "uploaders, reviewers and admins",
    "reader": "reviewers, auditors and admins",
    "overseer": "auditors and admins",
    "reviewer": "reviewers and admins",
    "report_reader": "programme officers, reviewers, auditors and admins",
    "researcher": "programme officers, reviewers and admins",
    "admin": "admins",
}


def _ref(model: type[BaseModel]) -> Json:
    return {"$ref": f"#/components/schemas/{model.__name__}"}


def _path_parameters(one: Operation) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": _CONVERTERS[kind]}
        for kind, name in _VARIABLE.findall(one.path)
    ]


def _query_parameters(one: Operation, schemas: dict[str, Json]) -> list[Json]:
    if one.query is None:
        return []
    model = schemas[one.query.__name__]
    return [
        _query_parameter(name, schema, name in model.get("required", ()))
        for name, schema in model["properties"].items()
    ]


_SAID_ELSEWHERE = ("anyOf", "default", "description", "title")


def _query_parameter(name: str, schema: Json, required: bool) -> Json:
    """Return a query parameter; its schema omits null, because clients leave a nullable parameter out."""
    shown = {key: value for key, value in schema.items() if key not in _SAID_ELSEWHERE}
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        shown |= kinds[0]
    if schema.get("default") is not None:
        shown["default"] = schema["default"]
    parameter = {"name": name, "in": "query", "required": required, "schema": shown}
    if "description" in schema:
        parameter["description"] = schema["description"]
    return parameter


def _headers(one: Operation) -> list[Json]:
    return [_IF_MATCH] * one.versioned + [_IF_NONE_MATCH] * one.conditional


def _responses(one: Operation) -> dict[int, Json]:
    found = {status: _problem(status) for status in _statuses(one)}
    found[one.status] = _success(one.answer)
    if one.meanwhile is not None:
        found[202] = _success(one.meanwhile)
    if one.conditional:
        found[304] = {"description": "Nothing has changed."}
    return found


def _statuses(one: Operation) -> set[int]:
    """Return the error statuses of an operation: those implied by its parts, and its declared `problems`."""
    found = {503, *one.problems}
    if one.rule != "public":
        found |= {401, 403}
    if "<" in one.path:
        found.add(404)
    if one.query is not None:
        found |= {400, 422}
    if one.body is not None:
        found |= {400, 413, 415, 422}
    if one.versioned:
        found |= {400, 404, 409, 428}
    return found


def _problem(status: int) -> Json:
    return {"description": _MEANINGS[status], "content": {CONTENT_TYPE: {"schema": _ref(Problem)}}}


def _success(answer: type[BaseModel] | Media | None) -> Json:
    if answer is None:
        return {"description": "Done."}
    if isinstance(answer, Media):
        return {"description": answer.about, "content": {answer.content_type: {}}}
    about = " ".join((answer.__doc__ or "").split("\n\n")[0].split())
    return {"description": about, "content": {JSON: {"schema": _ref(answer)}}}
