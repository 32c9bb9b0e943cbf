"""Every route declares who may use it; a route that does not is shut."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from flask import abort, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from services.accounts.roles import Role
from web.negotiation import wants_json

Rule = Literal[
    "public", "signed_in", "uploader", "reader", "overseer", "reviewer", "report_reader", "researcher", "admin"
]
View = TypeVar("View", bound=Callable[..., Any])

#: Which roles a rule lets in. "public" asks nobody.
ALLOWED: dict[str, frozenset[Role]] = {
    "signed_in": frozenset(Role),
    "uploader": frozenset(role for role in Role if role.may_upload),
    "reader": frozenset(role for role in Role if role.sees_all),
    "overseer": frozenset(role for role in Role if role.oversees),
    "reviewer": frozenset(role for role in Role if role.may_review),
    "report_reader": frozenset(role for role in Role if role.reads_reports),
    "researcher": frozenset(role for role in Role if role.may_research),
    "admin": frozenset({Role.ADMIN}),
}
_ATTRIBUTE = "access_rule"


def access(rule: Rule) -> Callable[[View], View]:
    """Declare who may use a view."""

    def declare(view: View) -> View:
        setattr(view, _ATTRIBUTE, rule)
        return view

    return declare


def rule_of(view: Callable[..., Any]) -> str | None:
    """The rule that a view declares; None where it declares none."""
    return getattr(view, _ATTRIBUTE, None)


def enforce_access() -> ResponseReturnValue | None:
    """Before each request: let in, ask to sign in, or refuse."""
    if request.endpoint is None:
        return None
    rule = rule_of(current_app.view_functions[request.endpoint])
    if rule == "public":
        return None
    if rule is None:
        abort(403)
    if not current_user.is_authenticated:
        return _ask_to_sign_in()
    if current_user.person.role not in ALLOWED[rule]:
        abort(403)
    return None


def _ask_to_sign_in() -> ResponseReturnValue:
    """Pages lead to the form; a client is told, and so is a person whose session ended under a form: that page
    gives back what was typed."""
    if wants_json() or request.method != "GET":
        abort(401)
    return redirect(url_for("auth.sign_in_page", next=request.full_path.rstrip("?")))
