"""The choice of English or Spanish, kept in a cookie and with the account that is signed in."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from services.accounts.own.choose_language import choose_language as keep_language
from web.access import access
from web.auth import blueprint
from web.context import get_context, get_person, get_settings
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
        if current_user.is_authenticated:
            keep_language(get_context(), get_person().id, wanted)
        secure = get_settings().cookie_secure
        response.set_cookie(COOKIE, wanted, max_age=_YEAR, httponly=True, samesite="Lax", secure=secure)
    return response
