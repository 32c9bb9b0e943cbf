"""Serve the OpenAPI document of the API."""

from __future__ import annotations

import json
from functools import lru_cache

from flask import Response

from web.access import access
from web.api import blueprint
from web.api.protocol.openapi import openapi_document
from web.api.protocol.operation import JSON, OPERATIONS


@blueprint.get("/openapi.json")
@access("public")
def openapi() -> Response:
    return Response(_written(), content_type=JSON)


@lru_cache(maxsize=1)
def _written() -> str:
    # Built at the first request, when every module of the API has declared its operations.
    return json.dumps(openapi_document(OPERATIONS, blueprint.url_prefix or ""))
