"""`/metrics`: numbers for Prometheus, for whoever has METRICS_TOKEN, or for this machine alone."""

from __future__ import annotations

import hmac
from ipaddress import ip_address

from flask import Blueprint, Response, request
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from services.metrics.collector import exposition
from web.access import access
from web.context import get_context, get_settings

blueprint = Blueprint("metrics", __name__)

#: Headers by which a proxy says that it asks for somebody else.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


@blueprint.get("/metrics")
@access("public")
def metrics() -> Response:
    if not _may_read():
        return Response("a bearer token is needed: METRICS_TOKEN\n", 401, {"WWW-Authenticate": "Bearer"})
    return Response(exposition(get_context()), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _may_read() -> bool:
    token = get_settings().metrics_token
    if token is None:
        return _is_of_this_machine()
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(
        given.strip().encode(), token.get_secret_value().encode()
    )


def _is_of_this_machine() -> bool:
    """Whether a program of this machine asks, and no proxy on it that asks for somebody else."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return False
    return address.is_loopback and not any(name in request.headers for name in _FORWARDED)
