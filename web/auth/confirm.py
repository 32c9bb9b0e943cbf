"""Give the password again before a page that wants it."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from web.access import access, before_second_factor
from web.auth import blueprint
from web.security.confirmed import FIELD, ask_for_password, problem_of_password
from web.security.own_path import own_path


@blueprint.get("/confirm")
@access("signed_in")
@before_second_factor
def confirm_page() -> ResponseReturnValue:
    return _page()


@blueprint.post("/confirm")
@access("signed_in")
@before_second_factor
def confirm_decide() -> ResponseReturnValue:
    problem = problem_of_password(request.form.get(FIELD, ""))
    if problem:
        return _page(problem), 401
    return redirect(own_path(request.form.get("next"), url_for("home.home")))


def _page(problem: str = "") -> str:
    return ask_for_password(problem, kept=(("next", request.values.get("next", "")),))
