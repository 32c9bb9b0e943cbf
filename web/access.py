"""Access rules: every route declares who may use it, and a route without a rule is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from flask import abort, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from core.errors import ScopeMissingError
from services.accounts.roles import Role
from services.accounts.tokens.scopes import ScopeKey
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
_SCOPE = "access_scope"
_BEFORE_FACTOR = "before_second_factor"


def access(rule: Rule, scope: ScopeKey | None = None) -> Callable[[View], View]:
    """Return a decorator that declares who may use a view, and the scope that a token needs for it."""

    def declare(view: View) -> View:
        setattr(view, _ATTRIBUTE, rule)
        setattr(view, _SCOPE, scope)
        return view

    return declare


def rule_of(view: Callable[..., Any]) -> str | None:
    """Return the rule that a view declares, or None."""
    return getattr(view, _ATTRIBUTE, None)


def scope_of(view: Callable[..., Any]) -> ScopeKey | None:
    """Return the scope that a view declares; no token opens one that declares none."""
    return getattr(view, _SCOPE, None)


def before_second_factor(view: View) -> View:
    """Declare a view that is open to people who have to set up their second factor first."""
    setattr(view, _BEFORE_FACTOR, True)
    return view


def sets_up_second_factor(view: Callable[..., Any]) -> bool:
    """Return whether a view is declared by `before_second_factor`."""
    return getattr(view, _BEFORE_FACTOR, False)


def enforce_access() -> ResponseReturnValue | None:
    """Check the rule before each request: admit it, ask to sign in, or abort with 403."""
    if request.endpoint is None:
        return None
    view = current_app.view_functions[request.endpoint]
    rule = rule_of(view)
    if rule == "public":
        return None
    if rule is None:
        abort(403)
    if not current_user.is_authenticated:
        return _ask_to_sign_in()
    if current_user.live is not None and current_user.live.wants_second_factor and not sets_up_second_factor(view):
        return _lead_to_second_factor()
    if current_user.person.role not in ALLOWED[rule]:
        abort(403)
    if current_user.scopes is not None and scope_of(view) not in current_user.scopes:
        raise ScopeMissingError(f"needs the scope {scope_of(view)}")
    return None


def _lead_to_second_factor() -> ResponseReturnValue:
    if wants_json() or request.method != "GET":
        abort(403)
    return redirect(url_for("auth.second_factor_page"))


def _ask_to_sign_in() -> ResponseReturnValue:
    """Redirect page requests to the sign-in form; abort others with 401.

    A form whose session has ended also gets 401, because the error page gives back what was typed.
    """
    if wants_json() or request.method != "GET":
        abort(401)
    return redirect(url_for("auth.sign_in_page", next=request.full_path.rstrip("?")))
