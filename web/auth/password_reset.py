"""Choose a new password by the link that an admin handed over."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.errors import InvalidInputError, LinkExpiredError
from services.accounts.passwords import MIN_LENGTH
from services.accounts.reset_password import person_to_reset, reset_password
from web.access import access
from web.attempts import Attempts
from web.auth import blueprint
from web.auth.sign_in import begin_session
from web.context import get_context


@blueprint.get("/password-reset/<token>")
@access("public")
def password_reset_page(token: str) -> ResponseReturnValue:
    return _page(token)


@blueprint.post("/password-reset/<token>")
@access("public")
def password_reset_decide(token: str) -> ResponseReturnValue:
    try:
        person = reset_password(get_context(), token, request.form.get("password", ""))
    except InvalidInputError as error:
        return _page(token, error.detail), error.http_status
    begin_session(person)
    flash("Your new password is set. Other sessions were ended.", "success")
    return redirect(url_for("home.home"))


@blueprint.get("/forgotten-password")
@access("public")
def forgotten_password() -> ResponseReturnValue:
    return render_template("auth/forgotten_password.html")


def _page(token: str, problem: str = "") -> str:
    attempts = Attempts("link")
    attempts.require_some_left()
    try:
        person = person_to_reset(get_context(), token)
    except LinkExpiredError:
        attempts.count_failure()
        raise
    return render_template(
        "auth/choose_password.html",
        person_of_link=person,
        is_invitation=False,
        problem=problem,
        min_length=MIN_LENGTH,
        display_name="",
    )
