"""Numbers that no column holds are refused, wherever they are sent."""

from __future__ import annotations

import ast
import re
from itertools import product

from flask import Flask

from services.context import Context
from tests.support.code import id_of, sources
from tests.support.research import reports
from tests.support.review import desk
from tests.support.routes import api_routes, routes

HUGE = [2**31, -(2**31) - 1, 2**63, -(2**63) - 1, 10**30, "9" * 5000]
_NAMED = re.compile(r"(?:args|form)\.get(?:list)?\(\"([\w-]+)\"")


def test_no_view_takes_a_number_by_itself() -> None:
    """`web.submission_filter` does it."""
    found = [
        id_of(path)
        for path in sources("web")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.keyword) and node.arg == "type" and getattr(node.value, "id", "") == "int"
    ]
    assert found == []


def test_every_route_with_every_name(app: Flask, signed_in) -> None:
    names = {name for path in sources("web") for name in _NAMED.findall(path.read_text(encoding="utf-8"))}
    assert {"version", "from", "to", "add", "w"} <= names
    given, client = dict.fromkeys(names, str(HUGE[3])), signed_in("admin")
    for route in [*routes(app), *api_routes(app)]:
        if route.endpoint == "auth.sign_out":
            continue
        sent = {"query_string": given} if route.method == "GET" else {"data": given}
        status = client.open(route.url, method=route.method, buffered=True, **sent).status_code
        assert status < 500, route


def test_on_what_there_is(signed_in, context: Context) -> None:
    with context.database.session() as session:
        report = reports.make_finished_report(session).id
        entry = desk.make_entry(context, session, status="completed").submission.id
    client = signed_in("admin")
    for address, name, number in product(
        (f"/research/{report}", f"/research/{report}/compare", f"/research/{report}/export.docx"),
        ("version", "from", "to"),
        HUGE,
    ):
        assert client.get(f"{address}?{name}={number}").status_code < 500, (address, name, number)
    for number in HUGE:
        assert client.get(f"/research/{report}?version={number}").status_code == 400
        assert client.get(f"/research/{report}/compare?from=1&to={number}").status_code == 400
        given = {"add": str(number), "line": "one", "version": "1"}
        assert client.post(f"/submissions/{entry}/essay", data=given).status_code == 400
    for small in (-1, 0, -(2**31), 2**31 - 1):
        assert client.get(f"/research/{report}?version={small}").status_code < 500
        assert client.get(f"/research/{report}/compare?from={small}&to={small}").status_code < 500
        given = {"add": str(small), "line": "one", "version": "1"}
        assert client.post(f"/submissions/{entry}/essay", data=given).status_code < 500
