"""Links by mail: ask for one to choose a password by; where Supabase Auth sends them, also for one to sign in by.

Those that it sends are followed here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from flask import redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from core.auth.people import LinkKind
from core.errors import LinkExpiredError, NotFoundError
from core.mail.send import mail_is_configured
from services.accounts.at_auth.grants import auth_of
from services.accounts.at_auth.links import Link, open_link
from services.accounts.email_address import normal_email
from services.accounts.letters.ask_for_reset import ask_for_reset
from services.accounts.sessions.client import network_of
from web.access import access
from web.auth import blueprint
from web.auth.admit import admit
from web.context import get_context, get_settings
from web.i18n import chosen_language
from web.security.attempts import Attempts
from web.security.own_path import own_path

#: What a browser waits for: the verifier of the code, what the link is for, the page that was wanted.
_KEY = "awaits_link"
_KINDS = get_args(LinkKind)


@blueprint.post("/sign-in/by-mail")
@access("public")
def mail_link() -> ResponseReturnValue:
    return _ask(auth_of(get_context()).people.mail_link, "email")


@blueprint.post("/forgotten-password")
@access("public")
def mail_reset() -> ResponseReturnValue:
    if get_context().auth is None:
        return _ask_here()
    return _ask(auth_of(get_context()).people.mail_reset, "recovery")


@blueprint.get("/sign-in/link")
@access("public")
def link_page() -> ResponseReturnValue:
    """Ask to go on. Nothing is used up yet: programs that look at letters follow their links."""
    auth_of(get_context())
    given = {name: request.args.get(name, "") for name in ("token_hash", "type", "code")}
    if not (given["token_hash"] or given["code"]):
        raise LinkExpiredError("the link brings nothing")
    return render_template("auth/open_link.html", given=given)


@blueprint.post("/sign-in/link")
@access("public")
def link_decide() -> ResponseReturnValue:
    """Use the link up: sign in, or go on to choose a password. A failure counts, against guessed links."""
    auth_of(get_context())
    attempts = Attempts("link")
    attempts.require_some_left()
    link, wanted = _brought()
    try:
        opened = open_link(get_context(), link, network_of(request.remote_addr))
    except LinkExpiredError:
        attempts.count_failure()
        raise
    if opened.purpose == "invitation":
        return redirect(url_for("auth.invitation_page", token=opened.token))
    if opened.purpose == "password_reset":
        return redirect(url_for("auth.password_reset_page", token=opened.token))
    return admit(opened.person, own_path(wanted, url_for("home.home")))


def _ask(mail: Callable[[str, str], str], kind: LinkKind) -> ResponseReturnValue:
    """Have a letter sent; the answer is the same whether there is such an account or not.

    Raises InvalidInputError for what is no address, TooManyRequests after many letters.
    """
    email = _counted_address()
    verifier = mail(email, url_for("auth.link_page", _external=True))
    session[_KEY] = [verifier, kind, request.form.get("next", "")]
    return render_template("auth/mail_sent.html", email=email)


def _ask_here() -> ResponseReturnValue:
    """Have this program mail a link; the answer is the same for every address.

    Raises InvalidInputError for what is no address, TooManyRequests after many letters, and NotFoundError where no
    mails are sent.
    """
    if not mail_is_configured(get_settings()):
        raise NotFoundError("no mail server is set up")
    email = _counted_address()
    ask_for_reset(get_context(), email, chosen_language())
    return render_template("auth/mail_sent.html", email=email)


def _counted_address() -> str:
    """Return the address of the form, counted as one more letter."""
    email = normal_email(request.form.get("email", ""))
    letters = Attempts("letter", email)
    letters.require_some_left()
    letters.count_failure()
    return email


def _brought() -> tuple[Link, str]:
    """Return the link of the form, and the page that was wanted. Raises LinkExpiredError for none."""
    form = request.form
    verifier, asked_for, wanted = session.get(_KEY, ("", "", ""))
    if form.get("token_hash") and form.get("type") in _KINDS:
        return Link(form["type"], token_hash=form["token_hash"]), wanted  # type: ignore[arg-type]
    if form.get("code") and asked_for in _KINDS:
        return Link(asked_for, code=form["code"], verifier=verifier), wanted
    raise LinkExpiredError("not a link, or one that was asked for in another browser")
