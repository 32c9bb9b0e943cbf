"""No page of the site takes many statements, or is large."""

from __future__ import annotations

from flask import Flask

from core.models import FormGeneration
from lab.bench.scale.every_page import KB, STATEMENTS, rows_of, shape
from services.context import Context
from tests.support.every_page import EMPTY, filled

#: Pages that take more, and how many they may take. A preview of an erasure looks wherever a child may be found.
MORE = {"/submissions/…/erase": 19}


def test_statements_and_size_of_every_page(app: Flask, signed_in, context: Context) -> None:
    with context.database.session() as session:
        # As migrations leave it; tests that come after others begin without any row.
        session.merge(FormGeneration(id=True, name=""))
    every = filled(context)
    clients = {role: app.test_client() if role is None else signed_in(role) for role in every}
    over, large = {}, {}
    for pages in (EMPTY, every):
        for address, _, statements, _, kilobytes in rows_of(context.database.engine, clients, pages):
            page = shape(str(address))
            if int(statements) > MORE.get(page, STATEMENTS):
                over[page] = statements
            if float(kilobytes) > KB:
                large[page] = kilobytes
    assert (over, large) == ({}, {})
