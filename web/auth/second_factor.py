"""The second factor: its code at sign-in, setting it up and switching it off."""

from __future__ import annotations

import io

import segno
from flask import Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import WrongCodeError
from services.accounts.find_person import person_of_account
from services.accounts.second_factor.check_code import check_code
from services.accounts.second_factor.set_up import enrolment, has_second_factor, switch_on
from services.accounts.second_factor.switch_off import switch_off
from services.accounts.sessions.client import network_of
from web.access import access, before_second_factor
from web.auth import blueprint
from web.auth.admit import who_awaits_code
from web.auth.begin_session import begin_session
from web.context import get_context, get_person
from web.i18n import say
from web.security.attempts import Attempts
from web.security.confirmed import confirmed
from web.security.own_path import own_path


@blueprint.get("/sign-in/code")
@access("public")
def code_page() -> ResponseReturnValue:
    if who_awaits_code() is None:
        return redirect(url_for("auth.sign_in_page"))
    return _code_page()


@blueprint.post("/sign-in/code")
@access("public")
def code_decide() -> ResponseReturnValue:
    """Begin the session if the code is right and the account is still as it was when the password was given."""
    waiting = who_awaits_code()
    person = person_of_account(get_context(), *waiting) if waiting else None
    if person is None:
        return redirect(url_for("auth.sign_in_page"))
    attempts = Attempts("code", person.email)
    attempts.require_some_left()
    try:
        check_code(get_context(), person.id, request.form.get("code", ""), network_of(request.remote_addr))
    except WrongCodeError as error:
        attempts.count_failure()
        return _code_page(say(error.told)), error.http_status
    page = own_path(request.form.get("next"), url_for("home.home"))
    begin_session(person)
    return redirect(page)


@blueprint.get("/account/second-factor")
@access("signed_in")
@before_second_factor
@confirmed
def second_factor_page() -> ResponseReturnValue:
    return _set_up_page()


@blueprint.get("/account/second-factor/qr.svg")
@access("signed_in")
@before_second_factor
@confirmed
def second_factor_picture() -> ResponseReturnValue:
    """Draw the secret as a QR code, here: nobody else gets to see it."""
    drawn = io.BytesIO()
    code = segno.make(enrolment(get_context(), get_person().id).uri, error="m")
    code.save(drawn, kind="svg", scale=5, border=4, dark="#000", light="#fff", svgclass=None, lineclass=None)
    return Response(drawn.getvalue(), content_type="image/svg+xml")


@blueprint.post("/account/second-factor")
@access("signed_in")
@before_second_factor
@confirmed
def second_factor_on() -> ResponseReturnValue:
    """Switch it on and show the recovery codes; they cannot be shown again."""
    attempts = Attempts("code", get_person().email)
    attempts.require_some_left()
    try:
        codes = switch_on(get_context(), get_person().id, request.form.get("code", ""))
    except WrongCodeError as error:
        attempts.count_failure()
        return _set_up_page(say(error.told)), error.http_status
    return render_template("auth/recovery_codes.html", codes=codes)


@blueprint.post("/account/second-factor/off")
@access("signed_in")
@confirmed
def second_factor_off() -> ResponseReturnValue:
    switch_off(get_context(), get_person().id, get_person().id)
    flash(_("Two-step verification is off."), "success")
    return redirect(url_for("auth.account_page"))


def _code_page(problem: str = "") -> str:
    return render_template("auth/code.html", problem=problem, wanted=request.values.get("next", ""))


def _set_up_page(problem: str = "") -> str:
    context, person = get_context(), get_person()
    with context.database.session() as session:
        is_on = has_second_factor(session, person.id)
    return render_template(
        "auth/second_factor.html",
        is_on=is_on,
        secret="" if is_on else enrolment(context, person.id).secret,
        problem=problem,
    )
