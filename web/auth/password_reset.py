"""Choose a new password through a link from an admin or from a mail."""

from __future__ import annotations

from flask import flash, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError
from core.mail.send import mail_is_configured
from services.accounts.reset_password import person_to_reset, reset_password
from web.access import access
from web.auth import blueprint
from web.auth.admit import admit
from web.auth.choose_password import choose_password_page, counted
from web.context import get_context, get_settings
from web.i18n import say


@blueprint.get("/password-reset/<token>")
@access("public")
def password_reset_page(token: str) -> ResponseReturnValue:
    return _page(token)


@blueprint.post("/password-reset/<token>")
@access("public")
def password_reset_decide(token: str) -> ResponseReturnValue:
    try:
        password = request.form.get("password", "")
        person = counted(lambda: reset_password(get_context(), token, password))
    except InvalidInputError as error:
        return _page(token, say(error.told)), error.http_status
    entered = admit(person, url_for("home.home"))
    flash(gettext("Your new password was saved. Other sessions were ended."), "success")
    return entered


@blueprint.get("/forgotten-password")
@access("public")
def forgotten_password() -> ResponseReturnValue:
    by_mail = mail_is_configured(get_settings()) or get_context().auth is not None
    return render_template("auth/forgotten_password.html", by_mail=by_mail)


def _page(token: str, problem: str = "") -> str:
    return choose_password_page(person_to_reset, token, is_invitation=False, problem=problem)
