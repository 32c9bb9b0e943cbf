"""Only tokens open the API, and each only as far as its person's role."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from core.models import Profile
from services.accounts.api_tokens import Scope, list_tokens, make_token, revoke_api_token
from services.accounts.people import set_active
from services.accounts.person import Role
from services.context import Context
from tests.support.routes import api_routes
from tests.support.site import sign_in_as
from web.access import ALLOWED, access, rule_of, scope_of

ME = "/api/v1/me"


def test_no_cookie_opens_it(app: Flask, people: dict[str, Profile]) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    client = app.test_client()
    sign_in_as(client, people["admin"])
    for route in api_routes(app):
        if rule_of(app.view_functions[route.endpoint]) != "public":
            response = client.open(route.url, method=route.method)
            assert response.status_code == 401, route
            assert response.content_type == "application/problem+json"
            assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_opens_no_page(app: Flask, api) -> None:
    assert api("admin").client.get("/submissions", headers=bearer(api("admin").token)).status_code == 302


@pytest.mark.parametrize("role", list(Role))
def test_each_role_gets_where_it_may_and_nowhere_else(app: Flask, api, role: Role) -> None:
    token = api(role.value).token
    routes = api_routes(app)
    assert len(routes) > 15
    for route in routes:
        rule = rule_of(app.view_functions[route.endpoint])
        response = app.test_client().open(route.url, method=route.method, headers=bearer(token))
        refused = rule != "public" and role not in ALLOWED[str(rule)]
        assert (response.status_code == 403) == refused, (route, response.status_code)
        assert response.status_code < 500 and response.status_code != 401, route


def test_each_route_declares_its_scope_and_holds_to_it(app: Flask, context: Context, people) -> None:
    tokens = {scope: make_token(context, people["admin"].id, scope, 1, [scope]) for scope in Scope}
    for route in api_routes(app):
        view = app.view_functions[route.endpoint]
        if rule_of(view) == "public":
            continue
        assert scope_of(view) in set(Scope), route
        # What takes many entries out at once is more than reading one after the other.
        reads = Scope.EXPORTS if "/exports" in route.url else Scope.READ
        assert route.method != "GET" or scope_of(view) == reads, route
        for scope, token in tokens.items():
            response = app.test_client().open(route.url, method=route.method, headers=bearer(token))
            refused = response.status_code == 403 and response.json["code"] == "scope_missing"
            assert refused == (scope != scope_of(view)), (route, scope)


def test_a_route_without_a_scope_is_shut_for_tokens(own_app: Flask, context: Context, people) -> None:
    own_app.add_url_rule("/api/forgotten", "forgotten", access("signed_in")(lambda: "open"))
    token = make_token(context, people["admin"].id, "all", 1)
    assert own_app.test_client().get("/api/forgotten", headers=bearer(token)).status_code == 403


def test_a_write_needs_no_form_token(app: Flask, api) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    nobody = "00000000-0000-0000-0000-000000000001"
    assert api("uploader").post(f"/uploads/{nobody}/retry").status_code == 404


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic eDp5", "Bearer sr_none", "Bearer sr_\u00e9"])
def test_no_token(client: FlaskClient, header: str) -> None:
    assert client.get(ME, headers={"Authorization": header}).status_code == 401


def test_revoked_and_shut(client: FlaskClient, context: Context, people: dict[str, Profile]) -> None:
    owner = people["reviewer"]
    first, second = (make_token(context, owner.id, name, 1) for name in ("first", "second"))
    assert client.get(ME, headers=bearer(first)).json["email"] == owner.email
    revoked = next(row for row in list_tokens(context, owner.id) if row.name == "first")
    revoke_api_token(context, revoked.id, owner.id)
    assert client.get(ME, headers=bearer(first)).status_code == 401
    assert client.get(ME, headers=bearer(second)).status_code == 200
    set_active(context, owner.id, False)
    assert client.get(ME, headers=bearer(second)).status_code == 401


def test_no_session_is_made(client: FlaskClient, api) -> None:
    response = client.get(ME, headers=bearer(api("admin").token))
    assert "Set-Cookie" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
