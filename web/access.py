"""Access: the signed-in person, the access rule of each route, and the choice of HTML or JSON."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from flask import Blueprint, Flask, abort, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from core.config import Settings
from core.errors import ScopeMissingError
from services.accounts.api_tokens import ScopeKey
from services.accounts.person import Person, Role
from services.accounts.sessions import LiveSession
from services.context import Context, open_context
from services.forms.in_use import load_forms

#: Key of the holder in `app.extensions`.
EXTENSION = "second_reader"


class ContextHolder:
    """Opens the process context on first use, so that importing the app starts no server."""

    def __init__(self, settings: Settings, context: Context | None = None) -> None:
        self.settings = settings
        self._context = context
        self._lock = threading.Lock()

    def get(self) -> Context:
        with self._lock:
            if self._context is None:
                self._context = open_context(self.settings, current_app._get_current_object())  # type: ignore[attr-defined]
                atexit.register(self._context.close)
            return self._context


def keep_context(app: Flask, holder: ContextHolder) -> None:
    """Attach the holder to the app, and offer `context` in `flask shell`."""
    app.extensions[EXTENSION] = holder
    app.shell_context_processor(lambda: {"context": get_context()})


def get_context() -> Context:
    """Return the process context, which use cases work with."""
    holder: ContextHolder = current_app.extensions[EXTENSION]
    return holder.get()


def use_forms_of_now() -> None:
    """Load the forms in use from the database before each request of a signed-in person."""
    if request.endpoint is not None and rule_of(current_app.view_functions[request.endpoint]) != "public":
        # A request with a token has no session.
        live: LiveSession | None = getattr(current_user, "live", None)
        load_forms(get_context(), live.forms if live is not None else None)


def app_settings() -> Settings:
    """Return the settings of this app."""
    holder: ContextHolder = current_app.extensions[EXTENSION]
    return holder.settings


def get_session() -> LiveSession:
    """Return the session of the request; only for pages whose access rule requires sign-in."""
    live: LiveSession = current_user.live
    return live


def get_person() -> Person:
    """Return the signed-in person; only for routes whose access rule requires sign-in."""
    person: Person = current_user.person
    return person


# Access rules: every route declares who may use it, and a route without a rule is refused.


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
    """Return a decorator that declares who may use a view, and the scope that a token needs for it.

    The routes of an `Area` do so themselves. A view has one rule: raises TypeError where it has another already.
    """

    def declare(view: View) -> View:
        if rule_of(view) not in (None, rule):
            raise TypeError(f"{view} is for {rule_of(view)} already")
        setattr(view, _ATTRIBUTE, rule)
        setattr(view, _SCOPE, scope)
        return view

    return declare


class Area(Blueprint):
    """A blueprint whose routes say who may use them."""

    def get(self, path: str, rule: Rule, **options: Any) -> Callable[[View], View]:  # type: ignore[override]
        """Return the decorator of a view that answers GET for whom the rule admits."""
        return self._route("GET", path, rule, options)

    def post(self, path: str, rule: Rule, **options: Any) -> Callable[[View], View]:  # type: ignore[override]
        """Return the decorator of a view that answers POST for whom the rule admits."""
        return self._route("POST", path, rule, options)

    def _route(self, method: str, path: str, rule: Rule, options: dict[str, Any]) -> Callable[[View], View]:
        route = self.route(path, methods=[method], **options)
        return lambda view: route(access(rule)(view))


def rule_of(view: Callable[..., Any]) -> str | None:
    """Return the rule that a view declares, or None."""
    return getattr(view, _ATTRIBUTE, None)


def scope_of(view: Callable[..., Any]) -> ScopeKey | None:
    """Return the scope that a view declares; no token opens one that declares none."""
    return getattr(view, _SCOPE, None)


def before_second_factor(view: View) -> View:
    """Declare a view open to people who still have to set up their second factor."""
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


# Whole numbers in requests, limited to those that the database's integer columns can hold.


#: First number that the columns cannot hold.
LIMIT = 2**31
_LONGEST = 32


def whole_number(text: str) -> int:
    """Return the number, for `type=` of form or URL values. Raises ValueError for any other text.

    Aborts with 400 for a number beyond the limit, because no id, version or position is so large.
    """
    if len(text) > _LONGEST:
        abort(400)
    number = int(text)
    if not -LIMIT <= number < LIMIT:
        abort(400)
    return number


# Content negotiation: a page or JSON.


#: Prefix of all API paths, including those that do not exist.
API_ROOT = "/api/"


def wants_json() -> bool:
    """Return whether to answer with JSON: for API paths, and for scripts that prefer it to HTML."""
    if request.path.startswith(API_ROOT):
        return True
    accepts = request.accept_mimetypes
    return accepts["application/json"] > accepts["text/html"]
