"""Pages of the person's own account: name, language, theme, tokens."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_login import current_user

from core.errors import InvalidInputError, WrongPasswordError
from core.mail import mail_is_configured
from core.messages import keys_of
from core.models import NoticeKind
from services.accounts.api_tokens import (
    MAX_NAME_LENGTH,
    STRONG,
    UNASKED_DAYS,
    Scope,
    list_tokens,
    make_token,
    revoke_api_token,
    scopes_of,
    wants_password,
)
from services.accounts.passwords import MIN_LENGTH
from services.accounts.people import change_name, change_password, set_language, set_theme
from services.accounts.person import MAX_LENGTH
from services.accounts.sessions import end_other_sessions, end_session
from services.accounts.sign_in import list_sessions
from services.mails.notices import choose_notices, notice_choices, notice_kinds_for
from web.access import app_settings, get_context, get_person, get_session, whole_number
from web.auth import blueprint
from web.auth.sign_in import sign_in_person
from web.i18n import COOKIE, LANGUAGES, go_on_in, shown_again
from web.labels import typed_lines
from web.security.requests import own_path
from web.security.sign_in_guard import attempt, confirmed_where
from web.templating import THEMES


@blueprint.get("/account", "signed_in")
def account_page(problem: str = "") -> str:
    """Return the page; `problem` says why something was refused."""
    context, person = get_context(), get_person()
    return render_template(
        "auth/account.html",
        sessions=list_sessions(context, person.id),
        this=get_session().id,
        problem=problem,
        min_length=MIN_LENGTH,
        longest_name=MAX_LENGTH,
        mail_configured=mail_is_configured(app_settings()),
        notices=notice_kinds_for(person.role),
        wanted_notices=notice_choices(context, person.id),
        themes=THEMES,
    )


# Settings on the account page: name, language and theme, notices.


@blueprint.post("/account/name", "signed_in")
@shown_again(account_page, InvalidInputError)
def own_name() -> ResponseReturnValue:
    change_name(get_context(), get_person().id, request.form.get("display_name", ""))
    flash(_("The name was saved."), "success")
    return redirect(url_for("auth.account_page"))


@blueprint.post("/account/appearance", "signed_in")
def own_appearance() -> ResponseReturnValue:
    """Save language and theme; unknown values are ignored."""
    context, person_id = get_context(), get_person().id
    language, theme = request.form.get("language"), request.form.get("theme")
    if language in LANGUAGES:
        set_language(context, person_id, language)
        go_on_in(language)
    if theme in THEMES:
        set_theme(context, person_id, theme)
    flash(_("Saved for every browser you sign in with."), "success")
    return redirect(url_for("auth.account_page"))


@blueprint.post("/account/notices", "signed_in")
def own_notices() -> ResponseReturnValue:
    wanted = [NoticeKind(key) for key in request.form.getlist("notice") if key in keys_of(NoticeKind)]
    choose_notices(get_context(), get_person().id, wanted)
    flash(_("Your notice settings were saved."), "success")
    return redirect(url_for("auth.account_page"))


# The choice of English or Spanish, kept in a cookie and with the account that is signed in.


_YEAR = 365 * 24 * 3600


@blueprint.post("/language", "public")
def choose_language() -> ResponseReturnValue:
    """Store the choice and redirect to the page that it was made on."""
    response = redirect(own_path(request.form.get("next"), url_for("home.home")))
    wanted = request.form.get("language", "")
    if wanted in LANGUAGES:
        if current_user.is_authenticated:
            set_language(get_context(), get_person().id, wanted)
        secure = app_settings().cookie_secure
        response.set_cookie(COOKIE, wanted, max_age=_YEAR, httponly=True, samesite="Lax", secure=secure)
    return response


# The choice of a light, dark or automatic theme, kept in a cookie and with the account that is signed in.


@blueprint.post("/theme", "public")
def choose_theme() -> ResponseReturnValue:
    given = request.form.get("theme", "auto")
    wanted = given if given in THEMES else "auto"
    if current_user.is_authenticated:
        set_theme(get_context(), get_person().id, wanted)
    response = redirect(own_path(request.form.get("next"), url_for("home.home")))
    response.set_cookie(
        "theme", wanted, max_age=_YEAR, httponly=True, samesite="Lax", secure=app_settings().cookie_secure
    )
    return response


# A person's own tokens for the JSON API: make, list and revoke them. A new token is shown once.


#: Terms to choose from, in days.
TERMS = (7, 30, 90, 365)


@blueprint.get("/tokens", "signed_in")
def tokens_page(problem: str = "", token: str = "") -> str:
    return render_template(
        "auth/tokens.html",
        tokens=list_tokens(get_context(), get_person().id),
        terms=TERMS,
        scopes=list(Scope),
        strong=STRONG,
        unasked_days=UNASKED_DAYS,
        longest=MAX_NAME_LENGTH,
        problem=problem,
        token=token,
        typed=typed_lines(),
    )


def _is_strong() -> bool:
    return wants_password(request.form.getlist("scope"), _days())


def _days() -> int:
    return request.form.get("days", default=0, type=whole_number)


@blueprint.post("/tokens", "signed_in")
@confirmed_where(_is_strong)
@shown_again(tokens_page, InvalidInputError)
def make() -> ResponseReturnValue:
    """Make a token and show it; it cannot be shown again."""
    form = request.form
    token = make_token(
        get_context(),
        get_person().id,
        form.get("name", ""),
        _days(),
        scopes_of(form.getlist("scope")),
        get_person().id,
    )
    return tokens_page(token=token)


@blueprint.post("/tokens/<uuid:token_id>/revoke", "signed_in")
def revoke(token_id: uuid.UUID) -> ResponseReturnValue:
    revoke_api_token(get_context(), token_id, get_person().id, get_person().id)
    flash(_("The token was revoked. Programs that used it no longer have access."), "success")
    return redirect(url_for("auth.tokens_page"))


# Open sessions, and a new password.


@blueprint.post("/account/sessions/<uuid:session_id>/end", "signed_in")
def end(session_id: uuid.UUID) -> ResponseReturnValue:
    end_session(get_context(), get_person().id, session_id)
    flash(_("The session was ended."), "success")
    return redirect(url_for("auth.account_page"))


@blueprint.post("/account/sessions/end-others", "signed_in")
def end_others() -> ResponseReturnValue:
    end_other_sessions(get_context(), get_person().id, get_session().id)
    flash(_("All other sessions were ended."), "success")
    return redirect(url_for("auth.account_page"))


@blueprint.post("/account/password", "signed_in")
@shown_again(account_page, WrongPasswordError, InvalidInputError)
def new_password() -> ResponseReturnValue:
    """Set the password. Every session ends; this browser gets a new one."""
    form, owner = request.form, get_person()
    with attempt("confirm", owner.email, wrong=(WrongPasswordError,)):
        person = change_password(get_context(), owner.id, form.get("current", ""), form.get("password", ""))
    sign_in_person(person)
    flash(_("Your new password was saved. Other sessions were ended."), "success")
    return redirect(url_for("auth.account_page"))
