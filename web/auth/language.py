"""The choice of English or Spanish, kept in a cookie."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from web.access import access
from web.auth import blueprint
from web.context import get_settings
from web.i18n import COOKIE, LANGUAGES
from web.security.own_path import own_path

_YEAR = 365 * 24 * 3600


@blueprint.post("/language")
@access("public")
def choose_language() -> ResponseReturnValue:
    """Store the choice and redirect to the page that it was made on."""
    response = redirect(own_path(request.form.get("next"), url_for("home.home")))
    wanted = request.form.get("language", "")
    if wanted in LANGUAGES:
        secure = get_settings().cookie_secure
        response.set_cookie(COOKIE, wanted, max_age=_YEAR, httponly=True, samesite="Lax", secure=secure)
    return response
