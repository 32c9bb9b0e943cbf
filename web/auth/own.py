"""What people set for themselves on the page of their account: name, language and theme, notices."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import InvalidInputError
from core.labels import keys_of
from core.models import NoticeKind
from services.accounts.own.change_name import change_name
from services.accounts.own.choose_language import choose_language
from services.accounts.own.choose_theme import choose_theme
from services.notices.preferences import choose_notices
from web.access import access
from web.auth import blueprint
from web.auth.account import account_page_with
from web.context import get_context, get_person
from web.i18n import LANGUAGES, go_on_in, say
from web.templating import THEMES


@blueprint.post("/account/name")
@access("signed_in")
def own_name() -> ResponseReturnValue:
    try:
        change_name(get_context(), get_person().id, request.form.get("display_name", ""))
    except InvalidInputError as error:
        return account_page_with(say(error.told)), error.http_status
    flash(_("The name was saved."), "success")
    return redirect(url_for("auth.account_page"))


@blueprint.post("/account/appearance")
@access("signed_in")
def own_appearance() -> ResponseReturnValue:
    """Keep language and theme; what is not among them changes nothing."""
    context, person_id = get_context(), get_person().id
    language, theme = request.form.get("language"), request.form.get("theme")
    if language in LANGUAGES:
        choose_language(context, person_id, language)
        go_on_in(language)
    if theme in THEMES:
        choose_theme(context, person_id, theme)
    flash(_("Saved for every browser you sign in with."), "success")
    return redirect(url_for("auth.account_page"))


@blueprint.post("/account/notices")
@access("signed_in")
def own_notices() -> ResponseReturnValue:
    wanted = [NoticeKind(key) for key in request.form.getlist("notice") if key in keys_of(NoticeKind)]
    choose_notices(get_context(), get_person().id, wanted)
    flash(_("Your notice settings were saved."), "success")
    return redirect(url_for("auth.account_page"))
