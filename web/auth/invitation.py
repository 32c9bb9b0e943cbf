"""Accept an invitation through its link."""

from __future__ import annotations

from flask import flash, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError
from services.accounts.accept_invitation import accept_invitation, invited_person
from web.access import access
from web.auth import blueprint
from web.auth.admit import admit
from web.auth.choose_password import choose_password_page, counted
from web.context import get_context
from web.i18n import LANGUAGES, go_on_in, say


@blueprint.get("/invitation/<token>")
@access("public")
def invitation_page(token: str) -> ResponseReturnValue:
    return _page(token)


@blueprint.post("/invitation/<token>")
@access("public")
def invitation_accept(token: str) -> ResponseReturnValue:
    form = request.form
    try:
        language = form.get("language")
        person = counted(
            lambda: accept_invitation(
                get_context(),
                token,
                form.get("password", ""),
                form.get("display_name", ""),
                language if language in LANGUAGES else None,
            )
        )
    except InvalidInputError as error:
        return _page(token, say(error.told)), error.http_status
    entered = admit(person, url_for("home.home"))
    go_on_in(person.language)
    flash(gettext("Welcome. Your account is ready."), "success")
    return entered


def _page(token: str, problem: str = "") -> str:
    return choose_password_page(invited_person, token, is_invitation=True, problem=problem)
