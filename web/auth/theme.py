"""The choice of a light, dark or automatic theme, kept in a cookie."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from web.access import access
from web.auth import blueprint
from web.context import get_settings
from web.security.own_path import own_path
from web.templating import THEMES

_YEAR = 365 * 24 * 3600


@blueprint.post("/theme")
@access("public")
def choose_theme() -> ResponseReturnValue:
    wanted = request.form.get("theme", "auto")
    response = redirect(own_path(request.form.get("next"), url_for("home.home")))
    response.set_cookie(
        "theme",
        wanted if wanted in THEMES else "auto",
        max_age=_YEAR,
        httponly=True,
        samesite="Lax",
        secure=get_settings().cookie_secure,
    )
    return response
