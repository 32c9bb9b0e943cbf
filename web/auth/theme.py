"""The choice of a light, dark or automatic theme, kept in a cookie and with the account that is signed in."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from services.accounts.own.choose_theme import choose_theme as keep_theme
from web.access import access
from web.auth import blueprint
from web.context import get_context, get_person, get_settings
from web.security.own_path import own_path
from web.templating import THEMES

_YEAR = 365 * 24 * 3600


@blueprint.post("/theme")
@access("public")
def choose_theme() -> ResponseReturnValue:
    given = request.form.get("theme", "auto")
    wanted = given if given in THEMES else "auto"
    if current_user.is_authenticated:
        keep_theme(get_context(), get_person().id, wanted)
    response = redirect(own_path(request.form.get("next"), url_for("home.home")))
    response.set_cookie(
        "theme",
        wanted,
        max_age=_YEAR,
        httponly=True,
        samesite="Lax",
        secure=get_settings().cookie_secure,
    )
    return response
