"""The description of the API, served beside it."""

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
    # Not before the first request: every module of the API has declared its operations then.
    return json.dumps(openapi_document(OPERATIONS, blueprint.url_prefix or ""))
