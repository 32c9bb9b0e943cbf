"""Sign in and out."""

from __future__ import annotations

from flask import redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, logout_user

from core.errors import SignInError
from core.models import SecurityEventKind
from services.accounts.demo_accounts import DEMO_ACCOUNTS
from services.accounts.sessions.client import network_of
from services.accounts.sessions.end_session import end_session
from services.accounts.sign_in import sign_in
from web.access import access
from web.auth import blueprint
from web.auth.admit import admit
from web.context import get_context, get_person, get_session, get_settings
from web.i18n import say
from web.security.attempts import Attempts
from web.security.own_path import own_path


@blueprint.get("/sign-in")
@access("public")
def sign_in_page() -> ResponseReturnValue:
    if current_user.is_authenticated:
        return redirect(own_path(request.args.get("next"), url_for("home.home")))
    return _page()


@blueprint.post("/sign-in")
@access("public")
def sign_in_decide() -> ResponseReturnValue:
    email = request.form.get("email", "")
    attempts = Attempts("sign-in", email)
    attempts.require_some_left()
    try:
        person = sign_in(get_context(), email, request.form.get("password", ""), network_of(request.remote_addr))
    except SignInError as error:
        attempts.count_failure()
        return _page(email, say(error.told)), error.http_status
    return admit(person, own_path(request.form.get("next"), url_for("home.home")))


@blueprint.post("/sign-out")
@access("public")
def sign_out() -> ResponseReturnValue:
    if current_user.is_authenticated:
        end_session(get_context(), get_person().id, get_session().id, SecurityEventKind.SIGN_OUT)
    logout_user()
    session.clear()
    return redirect(url_for("auth.sign_in_page"))


def _page(email: str = "", problem: str = "") -> str:
    return render_template(
        "auth/sign_in.html",
        email=email,
        problem=problem,
        wanted=request.values.get("next", ""),
        demo_accounts=DEMO_ACCOUNTS if get_settings().demo_accounts else (),
    )
