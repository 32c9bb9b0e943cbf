"""Every route of the site with an address that fits it."""

from __future__ import annotations

import uuid
from typing import NamedTuple

from flask import Flask

_METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
_BEYOND = {"HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"}
#: What stands where an address has a variable; ids of nothing otherwise.
_EXAMPLES = {"token": "none", "page_no": 1, "filename": "css/second-reader.css"}


class Route(NamedTuple):
    """One method of one route."""

    endpoint: str
    method: str
    url: str


def routes(app: Flask) -> list[Route]:
    """All that a browser uses."""
    return [route for route in _all_routes(app) if not route.endpoint.startswith("api.")]


def api_routes(app: Flask) -> list[Route]:
    """All that only a token opens."""
    return [route for route in _all_routes(app) if route.endpoint.startswith("api.")]


def other_methods(app: Flask) -> list[Route]:
    """Every address with the methods that it does not name, and with those that Flask answers by itself."""
    named = {(route.url, route.method) for route in _all_routes(app)}
    every = {route.url: route for route in _all_routes(app)}.values()
    return [
        route._replace(method=method)
        for route in every
        for method in sorted(_METHODS | _BEYOND)
        if (route.url, method) not in named
    ]


def _all_routes(app: Flask) -> list[Route]:
    with app.test_request_context():
        return [
            Route(rule.endpoint, method, app.url_for(rule.endpoint, **values))
            for rule in app.url_map.iter_rules()
            for values in [{name: _EXAMPLES.get(name, uuid.UUID(int=1)) for name in rule.arguments}]
            for method in sorted((rule.methods or set()) & _METHODS)
        ]
