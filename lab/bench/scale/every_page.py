"""How many statements every page of the site takes, and how large it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module

from flask.testing import FlaskClient
from sqlalchemy import Engine

from core.config import ROOT
from lab.bench.measure import Measure, at_most, measured
from lab.bench.office import Office, client_of, offices
from lab.bench.results import Table
from lab.bench.statements import listed
from services.accounts.people import create_user
from services.accounts.person import Role

STATEMENTS, KB = 12, 150
#: Style sheets, scripts and what scripts import; pictures of pages are no part of a page's weight.
_PARTS = re.compile(r'(?:href|src)="/static/((?:css|js)/[^"?]+)')
_IMPORTS = re.compile(r'(?:from|import)\s*\(?"\./([^"]+\.js)"')


def measure() -> tuple[list[Measure], list[Table]]:
    """Fill a site with entries in every state and open each page twice; the second time counts."""
    with offices("pages", 1) as (office,):
        # The pages that the tests look at; by name, since tests are not typed as the laboratory is.
        pages_of_tests = import_module("tests.support.every_page")
        every = pages_of_tests.filled(office.context)
        clients = {role: _client(office, role) for role in every}
        rows = [
            row
            for pages in (pages_of_tests.EMPTY, every)
            for row in rows_of(office.context.database.engine, clients, pages)
        ]
    rows.sort(key=lambda row: (-int(row[2]), -float(row[4]), str(row[0])))
    how = f"of {len(rows)} pages by role, of entries in every state, the session's own statement included"
    measures = [
        measured("statements_a_page", max(int(row[2]) for row in rows), "statements", at_most(STATEMENTS), how),
        measured(
            "page_kb",
            max(float(row[4]) for row in rows),
            "kB",
            at_most(KB),
            "the largest of these pages with its style sheets and scripts, uncompressed, without pictures",
        ),
    ]
    columns = ["page", "role", "statements", "kB of HTML", "kB with styles and scripts"]
    shown = [[f"`{shape(str(row[0]))}`", *row[1:]] for row in rows]
    return measures, [{"title": "Statements and size of every page", "columns": columns, "rows": shown}]


def rows_of(
    engine: Engine, clients: Mapping[str | None, FlaskClient], pages: Mapping[str | None, Sequence[str]]
) -> list[list[str | int | float]]:
    """Return address, role, statements, kB of HTML, and kB with styles and scripts of each of these pages."""
    found: list[list[str | int | float]] = []
    for role, addresses in pages.items():
        client = clients[role]
        for address in addresses:
            client.get(address)
            with listed(engine) as statements:
                response = client.get(address)
            if response.status_code != 200 or not response.content_type.startswith("text/html"):
                continue
            html = len(response.data) / 1000
            whole = html + _weight(frozenset(_PARTS.findall(response.text))) / 1000
            found.append([address, role or "nobody", len(statements), round(html, 1), round(whole, 1)])
    return found


def _client(office: Office, role: str | None) -> FlaskClient:
    if role is None:
        return office.app.test_client()
    person = create_user(
        office.context, f"{role}-pages@example.org", Role(role), "four quiet words here", role.title()
    )
    return client_of(office.app, office.context, person)


def _weight(parts: frozenset[str]) -> int:
    """Return the bytes of these files of `static`, and of the scripts that they import."""
    wanted, seen = list(parts), set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        if name.endswith(".js"):
            text = (ROOT / "static" / name).read_text(encoding="utf-8")
            wanted += [f"js/{one}" for one in _IMPORTS.findall(text)]
    return sum((ROOT / "static" / name).stat().st_size for name in seen)


def shape(address: str) -> str:
    """Return an address without its ids and secrets, which differ from run to run."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=/invitation/)[\w-]{20,}", "…", address)
