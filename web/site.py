"""The site: all blueprints, the start page, health checks, metrics."""

from __future__ import annotations

import hmac
import time
from collections.abc import Mapping
from ipaddress import ip_address

from flask import Flask, Response, current_app, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from services.accounts.person import Role
from services.context import Context
from services.doctor.health import PartState, SystemPart, all_parts_ready, health, readiness
from services.doctor.metrics import exposition
from services.season_admin.set_up import set_up_is_over
from web import admin, api, auth, research, review, submissions
from web.access import Area, app_settings, get_context, get_person
from web.extensions import csrf
from web.office import audits, duplicates, exports, letters, lists, schools


def register_blueprints(app: Flask) -> None:
    entries = (submissions, duplicates, letters, lists, exports)
    people = (auth, *entries, review, audits, schools, research, admin)
    for blueprint in (
        home_blueprint,
        *(area.blueprint for area in (*people, api)),
        health_blueprint,
        metrics_blueprint,
    ):
        app.register_blueprint(blueprint)
    # Exempt from CSRF protection: the API accepts only tokens, which browsers do not send by themselves.
    csrf.exempt(api.blueprint)


# The start page, which redirects to the main page of the person's role.


home_blueprint = Area("home", __name__)

_STARTS = {
    Role.UPLOADER: "submissions.upload_page",
    Role.OFFICER: "research.index",
    Role.REVIEWER: "review.queue",
    Role.AUDITOR: "submissions.index",
    Role.ADMIN: "admin.stats",
}


@home_blueprint.get("/", "signed_in")
def home() -> ResponseReturnValue:
    return redirect(url_for("admin.set_up" if _leads_to_set_up() else _STARTS[get_person().role]))


def _leads_to_set_up() -> bool:
    """Return whether the person administers an installation that is not set up; a demo counts as set up."""
    if not get_person().role.may_administer or app_settings().demo_accounts:
        return False
    return not set_up_is_over(get_context())


# Health checks for monitoring: `/healthz` (it runs) and `/readyz` (it can work).


health_blueprint = Area("health", __name__)

#: Seconds for which an answer of `/readyz` is reused: anybody may ask, and each check writes a file.
_HOLDS = 2.0
_KEPT = "second_reader_readiness"


@health_blueprint.get("/healthz", "public")
def healthz() -> ResponseReturnValue:
    """Return the health: 503 if database or queue are down, "degraded" without a worker."""
    found = health(get_context())
    answers = found["database"] == "ok" and found["queue"] == "ok"
    return jsonify(found), 200 if answers else 503


@health_blueprint.get("/readyz", "public")
def readyz() -> ResponseReturnValue:
    """Return the state of database, migrations, queue and file store; 503 unless all are ready."""
    found = _lately(get_context())
    ready = all_parts_ready(found)
    states = {part.value: state.value for part, state in found.items()}
    return jsonify({"ready": ready, **states}), 200 if ready else 503


def _lately(context: Context) -> Mapping[SystemPart, PartState]:
    """Try the parts of this context, or return what a try of the last moments found."""
    tried, at, found = current_app.extensions.get(_KEPT, (None, 0.0, {}))
    if tried is not context or time.monotonic() - at > _HOLDS:
        found = readiness(context)
        current_app.extensions[_KEPT] = context, time.monotonic(), found
    kept: Mapping[SystemPart, PartState] = found
    return kept


# `/metrics` for Prometheus: requires METRICS_TOKEN, or without that setting a request from this machine.


metrics_blueprint = Area("metrics", __name__)

#: Headers by which a proxy shows that it forwards a request.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


@metrics_blueprint.get("/metrics", "public")
def metrics() -> Response:
    if not _may_read():
        return Response("a bearer token is needed: METRICS_TOKEN\n", 401, {"WWW-Authenticate": "Bearer"})
    return Response(exposition(get_context()), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _may_read() -> bool:
    token = app_settings().metrics_token
    if token is None:
        return _is_of_this_machine()
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(
        given.strip().encode(), token.get_secret_value().encode()
    )


def _is_of_this_machine() -> bool:
    """Return whether a program on this machine makes the request, other than a proxy that forwards it."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return False
    return address.is_loopback and not any(name in request.headers for name in _FORWARDED)
