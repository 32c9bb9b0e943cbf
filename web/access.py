"""Access rules: every route declares who may use it, and a route without a rule is refused."""

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

#: The roles that each rule admits. "public" is not listed: it needs no sign-in.
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
    """Return a decorator that declares who may use a view."""

    def declare(view: View) -> View:
        setattr(view, _ATTRIBUTE, rule)
        return view

    return declare


def rule_of(view: Callable[..., Any]) -> str | None:
    """Return the rule that a view declares, or None."""
    return getattr(view, _ATTRIBUTE, None)


def enforce_access() -> ResponseReturnValue | None:
    """Check the rule before each request: admit it, ask to sign in, or abort with 403."""
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
    """Redirect page requests to the sign-in form; abort others with 401.

    A form whose session has ended also gets 401, because the error page gives back what was typed.
    """
    if wants_json() or request.method != "GET":
        abort(401)
    return redirect(url_for("auth.sign_in_page", next=request.full_path.rstrip("?")))
