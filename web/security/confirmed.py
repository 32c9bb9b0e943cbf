"""Ask for the password again before what a stranger at an open desk must not do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar, cast

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.errors import WrongPasswordError
from services.accounts.sessions.confirm import confirm_session
from web.context import get_context, get_person, get_session
from web.i18n import say
from web.negotiation import wants_json
from web.security.attempts import Attempts

View = TypeVar("View", bound=Callable[..., Any])

#: The field of the page that asks; no other form has one of this name.
FIELD = "confirm_password"
_ATTRIBUTE = "asks_for_password"


def confirmed(view: View) -> View:
    """Let a view of the site run only in a session whose password was given within CONFIRM_MINUTES.

    Otherwise the person is asked for it first. A form is sent on afterwards with what was typed; files that came
    with it are not. A script is answered with 403. Stands below `@access`.
    """
    return confirmed_where(lambda: True)(view)


def confirmed_where(wanted: Callable[[], bool]) -> Callable[[View], View]:
    """Return the decorator that does so for the requests of which `wanted` is true."""
    return partial(_confirmed, wanted)


def asks_for_password(view: Callable[..., Any]) -> bool:
    """Return whether a view asks for the password again, for some requests at least."""
    return getattr(view, _ATTRIBUTE, False)


def _confirmed(wanted: Callable[[], bool], view: View) -> View:
    @wraps(view)
    def check(**values: Any) -> ResponseReturnValue:
        if get_session().is_confirmed or not wanted():
            return cast(ResponseReturnValue, view(**values))
        if wants_json():
            abort(403)
        if request.method == "GET":
            return redirect(url_for("auth.confirm_page", next=request.full_path.rstrip("?")))
        if FIELD not in request.form:
            return ask_for_password(kept=_kept()), 401
        problem = problem_of_password(request.form[FIELD])
        if problem:
            return ask_for_password(problem, kept=_kept()), 401
        return cast(ResponseReturnValue, view(**values))

    setattr(check, _ATTRIBUTE, True)
    return cast(View, check)


def problem_of_password(password: str) -> str:
    """Confirm the session by this password; return what is wrong with it, "" if it is right.

    Raises TooManyRequests after too many wrong ones.
    """
    attempts = Attempts("confirm", get_person().email)
    attempts.require_some_left()
    try:
        confirm_session(get_context(), get_session().id, password)
    except WrongPasswordError as error:
        attempts.count_failure()
        return say(error.told)
    return ""


def ask_for_password(problem: str = "", kept: tuple[tuple[str, str], ...] = ()) -> str:
    """Render the page that asks; `kept` are fields to be sent along to this address."""
    return render_template("auth/confirm.html", problem=problem, kept=kept, field=FIELD)


def _kept() -> tuple[tuple[str, str], ...]:
    left_out = (FIELD, "csrf_token")
    return tuple((name, value) for name, value in request.form.items(multi=True) if name not in left_out)
