"""What asks for the password again has no other way in: each way asks, or wants a token that was asked for."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from flask import Flask

from services.accounts.api_tokens import STRONG
from tests.support.code import file_of, syntax_tree
from web.access import scope_of
from web.security.sign_in_guard import asks_for_password

#: Every route that asks, and the function that does what it asks for.
EFFECTS = {
    "admin.begin_next": "services.season_admin.seasons.roll_over",
    "admin.cancel": "services.queue.jobs.cancel_job",
    "admin.cancel_one_mail": "services.mails.mails.cancel_mail",
    "admin.change_active": "services.accounts.people.set_active",
    "admin.change_role": "services.accounts.people.set_role",
    "admin.change_rules": "services.policy.change_policy",
    "admin.close_one": "services.season_admin.seasons.close_season",
    "admin.events_file": "services.event_log.json_lines",
    "admin.invite": "services.accounts.mailed_links.hand_over_invitation",
    "admin.invite_again": "services.accounts.at_auth.invite_at_auth",
    "admin.make_reset_link": "services.accounts.mailed_links.hand_over_reset",
    "admin.open_one": "services.season_admin.seasons.open_season",
    "admin.retry_job": "services.queue.jobs.retry_work",
    "admin.retry_jobs": "services.queue.jobs.retry_all",
    "admin.retry_one_mail": "services.mails.mails.retry_mail",
    "admin.set_up_season": "services.season_admin.set_up.settle_season",
    "admin.undo_rules": "services.policy.undo_policy_change",
    "auth.make": "services.accounts.api_tokens.make_token",
    "auth.second_factor_off": "services.accounts.second_factor.switch_off",
    "auth.second_factor_on": "services.accounts.second_factor.switch_on",
    "auth.second_factor_page": "services.accounts.second_factor.enrolment",
    "auth.second_factor_picture": "services.accounts.second_factor.enrolment",
    "exports.ask": "services.exports.request.request_export",
    "exports.file": "web.office.exports.download",
    "submissions.erase": "services.erasure.erase.erase_submissions",
    "submissions.export": "services.erasure.held_export.export_held",
}


def test_every_route_that_asks_is_listed(app: Flask) -> None:
    assert {name for name, view in app.view_functions.items() if asks_for_password(view)} == set(EFFECTS)


@pytest.mark.parametrize("effect", sorted(set(EFFECTS.values())))
def test_no_other_route_leads_to_the_same(app: Flask, effect: str) -> None:
    ways = {name for name, view in app.view_functions.items() if effect in reached(inspect.unwrap(view))}
    assert {name for name, of in EFFECTS.items() if of == effect} <= ways, "the list names what the route does"
    views = {name: app.view_functions[name] for name in ways}
    assert not [n for n, view in views.items() if not asks_for_password(view) and scope_of(view) not in STRONG]


def reached(view: object) -> frozenset[str]:
    """Dotted names of the product's functions that a function may call, through any number of others."""
    start = f"{view.__module__}.{view.__qualname__}".partition(".<locals>")[0]
    found, rest = {start}, [start]
    while rest:
        for name in named_in(rest.pop()) - found:
            found.add(name)
            rest.append(name)
    return frozenset(found)


@cache
def named_in(function: str) -> frozenset[str]:
    """The product's functions, and methods of its classes, that the code of one names."""
    module, _, name = function.rpartition(".")
    path = file_of(module)
    nodes = (
        [] if path is None else [node for node in syntax_tree(path).body if getattr(node, "name", None) == name]
    )
    known = {} if path is None else names_of(path, module)
    return frozenset(
        known[part.id]
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and part.id in known
    )


@cache
def names_of(path: Path, module: str) -> dict[str, str]:
    """What the names of a module's functions and classes, own or imported, stand for."""
    own = {node.name: f"{module}.{node.name}" for node in syntax_tree(path).body if hasattr(node, "name")}
    return own | dict(_imported(path))


def _imported(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(syntax_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module and file_of(node.module):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
