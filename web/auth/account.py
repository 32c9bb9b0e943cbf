"""A person's own account: what they set for themselves, a new password, open sessions."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import InvalidInputError, WrongPasswordError
from core.mail.send import mail_is_configured
from services.accounts.change_password import change_password
from services.accounts.display_name import MAX_LENGTH
from services.accounts.passwords import MIN_LENGTH
from services.accounts.sessions.end_session import end_other_sessions, end_session
from services.accounts.sessions.list_sessions import list_sessions
from services.notices.preferences import notice_choices, notice_kinds_for
from web.access import access
from web.auth import blueprint
from web.auth.begin_session import begin_session
from web.context import get_context, get_person, get_session, get_settings
from web.i18n import say
from web.security.attempts import Attempts
from web.templating import THEMES


@blueprint.get("/account")
@access("signed_in")
def account_page() -> ResponseReturnValue:
    return account_page_with()


@blueprint.post("/account/sessions/<uuid:session_id>/end")
@access("signed_in")
def end(session_id: uuid.UUID) -> ResponseReturnValue:
    end_session(get_context(), get_person().id, session_id)
    flash(_("The session was ended."), "success")
    return redirect(url_for("auth.account_page"))


@blueprint.post("/account/sessions/end-others")
@access("signed_in")
def end_others() -> ResponseReturnValue:
    end_other_sessions(get_context(), get_person().id, get_session().id)
    flash(_("All other sessions were ended."), "success")
    return redirect(url_for("auth.account_page"))


@blueprint.post("/account/password")
@access("signed_in")
def new_password() -> ResponseReturnValue:
    """Set the password. Every session ends; this browser gets a new one."""
    form, attempts = request.form, Attempts("confirm", get_person().email)
    attempts.require_some_left()
    try:
        person = change_password(get_context(), get_person().id, form.get("current", ""), form.get("password", ""))
    except WrongPasswordError as error:
        attempts.count_failure()
        return account_page_with(say(error.told)), error.http_status
    except InvalidInputError as error:
        return account_page_with(say(error.told)), error.http_status
    begin_session(person)
    flash(_("Your new password was saved. Other sessions were ended."), "success")
    return redirect(url_for("auth.account_page"))


def account_page_with(problem: str = "") -> str:
    """Return the page, with why something was refused."""
    context, person = get_context(), get_person()
    return render_template(
        "auth/account.html",
        sessions=list_sessions(context, person.id),
        this=get_session().id,
        problem=problem,
        min_length=MIN_LENGTH,
        longest_name=MAX_LENGTH,
        mail_configured=mail_is_configured(get_settings()),
        notices=notice_kinds_for(person.role),
        wanted_notices=notice_choices(context, person.id),
        themes=THEMES,
    )
