"""Links by mail: an invitation, a password reset, a sign-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from flask import flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.auth.provider import LinkKind
from core.errors import InvalidInputError, LinkExpiredError, NotFoundError
from core.mail import mail_is_configured
from services.accounts.at_auth import auth_of
from services.accounts.mailed_links import (
    accept_invitation,
    ask_for_reset,
    invited_person,
    person_to_reset,
    reset_password,
)
from services.accounts.passwords import MIN_LENGTH
from services.accounts.person import MAX_LENGTH, Person, normal_email
from services.accounts.sessions import network_of
from services.accounts.sign_in import Link, open_link
from services.context import Context
from web.access import app_settings, get_context
from web.auth import blueprint
from web.auth.sign_in import admit
from web.i18n import LANGUAGES, chosen_language, go_on_in, show_in, shown_again
from web.security.requests import own_path
from web.security.sign_in_guard import attempt, count_attempt


@blueprint.get("/invitation/<token>", "public")
def invitation_page(token: str, problem: str = "") -> str:
    return choose_password_page(invited_person, token, is_invitation=True, problem=problem)


@blueprint.post("/invitation/<token>", "public")
@shown_again(invitation_page, InvalidInputError)
def invitation_accept(token: str) -> ResponseReturnValue:
    form = request.form
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
    entered = admit(person, url_for("home.home"))
    go_on_in(person.language)
    flash(gettext("Welcome. Your account is ready."), "success")
    return entered


# Choose a new password through a link from an admin or from a mail.


@blueprint.get("/password-reset/<token>", "public")
def password_reset_page(token: str, problem: str = "") -> str:
    return choose_password_page(person_to_reset, token, is_invitation=False, problem=problem)


@blueprint.post("/password-reset/<token>", "public")
@shown_again(password_reset_page, InvalidInputError)
def password_reset_decide(token: str) -> ResponseReturnValue:
    password = request.form.get("password", "")
    person = counted(lambda: reset_password(get_context(), token, password))
    entered = admit(person, url_for("home.home"))
    flash(gettext("Your new password was saved. Other sessions were ended."), "success")
    return entered


@blueprint.get("/forgotten-password", "public")
def forgotten_password() -> ResponseReturnValue:
    by_mail = mail_is_configured(app_settings()) or get_context().auth is not None
    return render_template("auth/forgotten_password.html", by_mail=by_mail)


# Ask for a link by mail to choose a password; where Supabase Auth sends them, also to sign in.
#
# The links that it sends lead here.


#: Session key of a requested link: the verifier of its code, its kind, and the page to return to.
_KEY = "awaits_link"
_KINDS = get_args(LinkKind)


@blueprint.post("/sign-in/by-mail", "public")
def mail_link() -> ResponseReturnValue:
    return _mail_by_auth(auth_of(get_context()).people.mail_link, "email")


@blueprint.post("/forgotten-password", "public")
def mail_reset() -> ResponseReturnValue:
    if get_context().auth is None:
        return _mail_by_us()
    return _mail_by_auth(auth_of(get_context()).people.mail_reset, "recovery")


@blueprint.get("/sign-in/link", "public")
def link_page() -> ResponseReturnValue:
    """Ask for confirmation. The link stays valid until then, because mail scanners open links."""
    auth_of(get_context())
    given = {name: request.args.get(name, "") for name in ("token_hash", "type", "code")}
    if not (given["token_hash"] or given["code"]):
        raise LinkExpiredError("the link brings nothing")
    return render_template("auth/open_link.html", given=given)


@blueprint.post("/sign-in/link", "public")
def link_decide() -> ResponseReturnValue:
    """Redeem the link: sign in, or go on to choose a password. Failures count, against guessed links."""
    auth_of(get_context())
    link, wanted = _link_of_form()
    with attempt("link", wrong=(LinkExpiredError,)):
        opened = open_link(get_context(), link, network_of(request.remote_addr))
    if opened.purpose == "invitation":
        return redirect(url_for("auth.invitation_page", token=opened.token))
    if opened.purpose == "password_reset":
        return redirect(url_for("auth.password_reset_page", token=opened.token))
    return admit(opened.person, own_path(wanted, url_for("home.home")))


def _mail_by_auth(mail: Callable[[str, str], str], kind: LinkKind) -> ResponseReturnValue:
    """Have Supabase Auth mail a link; the answer is the same whether or not the account exists.

    Raises InvalidInputError for an invalid address, TooManyRequests after many mails.
    """
    email = _counted_address()
    verifier = mail(email, url_for("auth.link_page", _external=True))
    session[_KEY] = [verifier, kind, request.form.get("next", "")]
    return render_template("auth/mail_sent.html", email=email)


def _mail_by_us() -> ResponseReturnValue:
    """Have this program mail a link; the answer is the same for every address.

    Raises InvalidInputError for an invalid address, TooManyRequests after many mails, and NotFoundError without a
    mail server.
    """
    if not mail_is_configured(app_settings()):
        raise NotFoundError("no mail server is set up")
    email = _counted_address()
    ask_for_reset(get_context(), email, chosen_language())
    return render_template("auth/mail_sent.html", email=email)


def _counted_address() -> str:
    """Return the e-mail address of the form, and count one more mail to it."""
    email = normal_email(request.form.get("email", ""))
    count_attempt("letter", email)
    return email


def _link_of_form() -> tuple[Link, str]:
    """Return the link in the form, and the page to return to. Raises LinkExpiredError without a valid link."""
    form = request.form
    verifier, asked_for, wanted = session.get(_KEY, ("", "", ""))
    if form.get("token_hash") and form.get("type") in _KINDS:
        return Link(form["type"], token_hash=form["token_hash"]), wanted  # type: ignore[arg-type]
    if form.get("code") and asked_for in _KINDS:
        return Link(asked_for, code=form["code"], verifier=verifier), wanted
    raise LinkExpiredError("not a link, or one that was asked for in another browser")


# The page of a personal link, on which a person chooses a password.


def counted(choose: Callable[[], Person]) -> Person:
    """Return the person of a link from `choose`, which finds them or sets their password.

    A wrong link or a refused password counts as a failed attempt. Raises TooManyRequests after many.
    """
    with attempt("link", wrong=(InvalidInputError, LinkExpiredError)):
        return choose()


def choose_password_page(
    person_of_link: Callable[[Context, str], Person], token: str, *, is_invitation: bool, problem: str = ""
) -> str:
    """Return the form for the owner of a link. Raises LinkExpiredError and TooManyRequests, as `counted` does."""
    person = counted(lambda: person_of_link(get_context(), token))
    show_in(person.language)
    return render_template(
        "auth/choose_password.html",
        person_of_link=person,
        is_invitation=is_invitation,
        problem=problem,
        min_length=MIN_LENGTH,
        display_name=request.form.get("display_name", person.display_name)[:MAX_LENGTH],
    )
