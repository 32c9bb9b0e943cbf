"""Sign in, with a second factor, and confirm the password before sensitive actions."""

from __future__ import annotations

import io
import time
import uuid

import segno
from flask import Response, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_login import current_user, login_user, logout_user

from core.errors import SignInError, WrongCodeError
from core.models import SecurityEventKind
from services.accounts.people import DEMO_ACCOUNTS, person_of_account
from services.accounts.person import Person
from services.accounts.second_factor import check_code, enrolment, has_second_factor, switch_off, switch_on
from services.accounts.sessions import client_of, create_session, end_session, network_of
from services.accounts.sign_in import sign_in
from web.access import app_settings, before_second_factor, get_context, get_person, get_session
from web.auth import blueprint
from web.extensions import SignedIn
from web.i18n import say
from web.security.requests import own_path
from web.security.sign_in_guard import (
    FIELD,
    ask_for_password,
    attempt,
    problem_of_password,
    recently_confirmed,
    remember_device,
)


@blueprint.get("/sign-in", "public")
def sign_in_page() -> ResponseReturnValue:
    if current_user.is_authenticated:
        return redirect(own_path(request.args.get("next"), url_for("home.home")))
    return _page()


@blueprint.post("/sign-in", "public")
def sign_in_decide() -> ResponseReturnValue:
    email = request.form.get("email", "")
    try:
        with attempt("sign-in", email, wrong=(SignInError,)):
            network = network_of(request.remote_addr)
            person = sign_in(get_context(), email, request.form.get("password", ""), network)
    except SignInError as error:
        return _page(email, say(error.told)), error.http_status
    return admit(person, own_path(request.form.get("next"), url_for("home.home")))


@blueprint.post("/sign-out", "public")
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
        demo_accounts=DEMO_ACCOUNTS if app_settings().demo_accounts else (),
    )


# The second factor: its code at sign-in, setting it up and switching it off.


@blueprint.get("/sign-in/code", "public")
def code_page() -> ResponseReturnValue:
    if who_awaits_code() is None:
        return redirect(url_for("auth.sign_in_page"))
    return _code_page()


@blueprint.post("/sign-in/code", "public")
def code_decide() -> ResponseReturnValue:
    """Begin the session if the code is right and the account has not changed since the password was given."""
    waiting = who_awaits_code()
    person = person_of_account(get_context(), *waiting) if waiting else None
    if person is None:
        return redirect(url_for("auth.sign_in_page"))
    try:
        with attempt("code", person.email, wrong=(WrongCodeError,)):
            check_code(get_context(), person.id, request.form.get("code", ""), network_of(request.remote_addr))
    except WrongCodeError as error:
        return _code_page(say(error.told)), error.http_status
    page = own_path(request.form.get("next"), url_for("home.home"))
    sign_in_person(person)
    return redirect(page)


@blueprint.get("/account/second-factor", "signed_in")
@before_second_factor
@recently_confirmed
def second_factor_page() -> ResponseReturnValue:
    return _set_up_page()


@blueprint.get("/account/second-factor/qr.svg", "signed_in")
@before_second_factor
@recently_confirmed
def second_factor_picture() -> ResponseReturnValue:
    """Draw the secret as a QR code in this process, so that no other service sees it."""
    drawn = io.BytesIO()
    code = segno.make(enrolment(get_context(), get_person().id).uri, error="m")
    code.save(drawn, kind="svg", scale=5, border=4, dark="#000", light="#fff", svgclass=None, lineclass=None)
    return Response(drawn.getvalue(), content_type="image/svg+xml")


@blueprint.post("/account/second-factor", "signed_in")
@before_second_factor
@recently_confirmed
def second_factor_on() -> ResponseReturnValue:
    """Switch it on and show the recovery codes; they cannot be shown again."""
    person = get_person()
    try:
        with attempt("code", person.email, wrong=(WrongCodeError,)):
            codes = switch_on(get_context(), person.id, request.form.get("code", ""), get_session().id)
    except WrongCodeError as error:
        return _set_up_page(say(error.told)), error.http_status
    return render_template("auth/recovery_codes.html", codes=codes)


@blueprint.post("/account/second-factor/off", "signed_in")
@recently_confirmed
def second_factor_off() -> ResponseReturnValue:
    switch_off(get_context(), get_person().id, get_person().id)
    flash(_("Two-step verification is off."), "success")
    return redirect(url_for("auth.account_page"))


def _code_page(problem: str = "") -> str:
    return render_template("auth/code.html", problem=problem, wanted=request.values.get("next", ""))


def _set_up_page(problem: str = "") -> str:
    context, person = get_context(), get_person()
    with context.database.reading() as session:
        is_on = has_second_factor(session, person.id)
    return render_template(
        "auth/second_factor.html",
        is_on=is_on,
        secret="" if is_on else enrolment(context, person.id).secret,
        problem=problem,
    )


# Ask for the password again before a page that requires it.


@blueprint.get("/confirm", "signed_in")
@before_second_factor
def confirm_page(problem: str = "") -> str:
    return ask_for_password(problem, kept=(("next", request.values.get("next", "")),))


@blueprint.post("/confirm", "signed_in")
@before_second_factor
def confirm_decide() -> ResponseReturnValue:
    problem = problem_of_password(request.form.get(FIELD, ""))
    if problem:
        return confirm_page(problem), 401
    return redirect(own_path(request.form.get("next"), url_for("home.home")))


# After a password or a personal link: begin the session, or ask for the code of a second factor first.


_KEY = "whose_code"
#: Seconds in which the code must follow the password.
_LASTS = 300


def admit(person: Person, page: str) -> ResponseReturnValue:
    """Redirect to `page` with a session, or to the page that asks for the code."""
    context = get_context()
    with context.database.reading() as database:
        wants_code = has_second_factor(database, person.id)
    if not wants_code:
        sign_in_person(person)
        return redirect(page)
    session.clear()
    granted = str(person.auth_session) if person.auth_session else None
    session[_KEY] = [str(person.id), person.session_version, granted, int(time.time())]
    return redirect(url_for("auth.code_page", next=page))


def who_awaits_code() -> tuple[uuid.UUID, int, uuid.UUID | None] | None:
    """Return who gave the password in this browser, the number of their sessions and what Auth granted.

    None if nobody did.
    """
    kept = session.get(_KEY)
    if kept is None or time.time() - kept[3] > _LASTS:
        return None
    return uuid.UUID(kept[0]), kept[1], uuid.UUID(kept[2]) if kept[2] else None


# Give a browser a session.


def sign_in_person(person: Person) -> None:
    """Sign the person in, in a new session without data of the previous one. Raises SignInError."""
    client = client_of(request.remote_addr, request.headers.get("User-Agent", ""))
    secret = create_session(get_context(), person, client)
    session.clear()
    user = SignedIn(person)
    user.id = secret
    login_user(user)
    session.permanent = True
    remember_device(person.email)
