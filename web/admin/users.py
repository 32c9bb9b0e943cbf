"""Pages of the people who use the site, their links and API tokens."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError
from core.mail import mail_is_configured
from services.accounts.api_tokens import list_every_token, revoke_api_token
from services.accounts.at_auth import invite_at_auth
from services.accounts.mailed_links import HandedOver, Invitation, hand_over_invitation, hand_over_reset
from services.accounts.people import find_user, list_users, set_active, set_role
from services.accounts.person import Role
from services.messages.office import AccountRefused
from web.access import app_settings, get_context, get_person
from web.admin import blueprint
from web.i18n import LANGUAGES, chosen_language, say, shown_again
from web.labels import typed_lines
from web.security.sign_in_guard import recently_confirmed


@blueprint.get("/users", "admin")
def users(problem: str = "", link: str = "", link_for: str = "", link_is: str = "") -> str:
    """Return the page; `problem` says why something was refused, `link` is to be passed on."""
    return render_template(
        "admin/users.html",
        page=list_users(get_context(), request.args.get("page")),
        by_mail=mail_is_configured(app_settings()) and get_context().auth is None,
        languages=LANGUAGES,
        problem=problem,
        link=link,
        link_for=link_for,
        link_is=link_is,
        typed={} if link else typed_lines(),
    )


#: Shows the page of accounts again.
_again = shown_again(lambda problem, **_: users(problem), InvalidInputError)

# Personal links: invitations and new passwords, by mail where that is set up, else for the admin to pass on.


@blueprint.post("/users", "admin")
@recently_confirmed
@_again
def invite() -> ResponseReturnValue:
    form = request.form
    role = role_of_form()
    return _invited(form.get("email", ""), role, form.get("display_name", ""), form.get("language"))


@blueprint.post("/users/<uuid:profile_id>/invitation", "admin")
@recently_confirmed
@_again
def invite_again(profile_id: uuid.UUID) -> ResponseReturnValue:
    """Make a new link for a person who has not accepted their invitation; the earlier link stops working."""
    user = find_user(get_context(), profile_id)
    return _invited(user.email, user.role, user.display_name, None)


@blueprint.post("/users/<uuid:profile_id>/password-reset", "admin")
@recently_confirmed
def make_reset_link(profile_id: uuid.UUID) -> ResponseReturnValue:
    context = get_context()
    user = find_user(context, profile_id)
    by_mail = _is_to_be_sent() and context.auth is None
    handed = hand_over_reset(context, user.email, get_person().id, by_mail, chosen_language())
    return _handed(handed, "password reset", "auth.password_reset_page")


def _invited(email: str, role: Role, display_name: str, language: str | None) -> ResponseReturnValue:
    context, actor_id = get_context(), get_person().id
    if context.auth is not None:
        made = invite_at_auth(context, email, role, display_name, actor_id)
        link = url_for("auth.link_page", token_hash=made.token_hash, type=made.kind, _external=True)
        return users(link=link, link_for=email.strip(), link_is="invitation")
    invited = Invitation(email, role, display_name, language if language in LANGUAGES else None)
    handed = hand_over_invitation(context, invited, actor_id, _is_to_be_sent())
    return _handed(handed, "invitation", "auth.invitation_page")


def _handed(handed: HandedOver, link_is: str, endpoint: str) -> ResponseReturnValue:
    """Report that the link was sent, or show the link and why it could not be sent."""
    if not handed.token:
        flash(gettext("An e-mail with the link is on its way to %(email)s.", email=handed.email), "success")
        return redirect(url_for("admin.users"))
    link = url_for(endpoint, token=handed.token, _external=True)
    problem = say(handed.error.told) if handed.error else ""
    return users(problem=problem, link=link, link_for=handed.email, link_is=link_is)


def _is_to_be_sent() -> bool:
    """Return whether to mail the link, unless the admin chose to pass it on."""
    return request.form.get("by") != "link"


# All tokens for the JSON API: look through them and revoke them.


@blueprint.get("/tokens", "admin")
def tokens() -> ResponseReturnValue:
    return render_template("admin/tokens.html", page=list_every_token(get_context(), request.args.get("page")))


@blueprint.post("/tokens/<uuid:token_id>/revoke", "admin")
def revoke_token(token_id: uuid.UUID) -> ResponseReturnValue:
    revoke_api_token(get_context(), token_id, None, get_person().id)
    flash(gettext("The token was revoked. Programs that used it no longer have access."), "success")
    return redirect(url_for("admin.tokens"))


# Accounts: set roles, close and reopen accounts.


@blueprint.post("/users/<uuid:profile_id>/role", "admin")
@recently_confirmed
@_again
def change_role(profile_id: uuid.UUID) -> ResponseReturnValue:
    set_role(get_context(), profile_id, role_of_form(), get_person().id)
    flash(gettext("The role was changed. It takes effect immediately."), "success")
    return redirect(url_for("admin.users"))


@blueprint.post("/users/<uuid:profile_id>/active", "admin")
@recently_confirmed
@_again
def change_active(profile_id: uuid.UUID) -> ResponseReturnValue:
    active = request.form.get("active") == "yes"
    set_active(get_context(), profile_id, active, get_person().id)
    became = gettext("The account was reopened.")
    if not active:
        became = gettext("The account was closed and its sessions were ended.")
    flash(became, "success")
    return redirect(url_for("admin.users"))


def role_of_form() -> Role:
    role = request.form.get("role", type=Role)
    if role is None:
        raise InvalidInputError(AccountRefused.NO_SUCH_ROLE)
    return role
