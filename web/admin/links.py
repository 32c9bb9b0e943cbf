"""Personal links: invitations and new passwords, by mail where that is set up, else for the admin to pass on."""

from __future__ import annotations

import uuid

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError, NotFoundError
from services.accounts.at_auth.invite import invite_at_auth
from services.accounts.letters.hand_over import (
    HandedOver,
    Invitation,
    hand_over_invitation,
    hand_over_reset,
)
from services.accounts.list_users import UserRow, list_users
from services.accounts.roles import Role
from web.access import access
from web.admin import blueprint
from web.admin.users import role_of_form, users_page
from web.context import get_context, get_person
from web.i18n import LANGUAGES, chosen_language, say
from web.security.confirmed import confirmed


@blueprint.post("/users")
@access("admin")
@confirmed
def invite() -> ResponseReturnValue:
    form = request.form
    try:
        role = role_of_form()
        return _invited(form.get("email", ""), role, form.get("display_name", ""), form.get("language"))
    except InvalidInputError as error:
        return users_page(problem=say(error.told)), error.http_status


@blueprint.post("/users/<uuid:profile_id>/invitation")
@access("admin")
@confirmed
def invite_again(profile_id: uuid.UUID) -> ResponseReturnValue:
    """Make a new link for a person who has not accepted the one before, which stops working."""
    user = _user(profile_id)
    try:
        return _invited(user.email, user.role, user.display_name, None)
    except InvalidInputError as error:
        return users_page(problem=say(error.told)), error.http_status


@blueprint.post("/users/<uuid:profile_id>/password-reset")
@access("admin")
@confirmed
def make_reset_link(profile_id: uuid.UUID) -> ResponseReturnValue:
    user, context = _user(profile_id), get_context()
    by_mail = _is_to_be_sent() and context.auth is None
    handed = hand_over_reset(context, user.email, get_person().id, by_mail, chosen_language())
    return _handed(handed, "password reset", "auth.password_reset_page")


def _invited(email: str, role: Role, display_name: str, language: str | None) -> ResponseReturnValue:
    """Invite a person. Raises InvalidInputError."""
    context, actor_id = get_context(), get_person().id
    if context.auth is not None:
        made = invite_at_auth(context, email, role, display_name, actor_id)
        link = url_for("auth.link_page", token_hash=made.token_hash, type=made.kind, _external=True)
        return users_page(link=link, link_for=email.strip(), link_is="invitation")
    invited = Invitation(email, role, display_name, language if language in LANGUAGES else None)
    handed = hand_over_invitation(context, invited, actor_id, _is_to_be_sent())
    return _handed(handed, "invitation", "auth.invitation_page")


def _handed(handed: HandedOver, link_is: str, endpoint: str) -> ResponseReturnValue:
    """Say that the link was sent, or show it, with why it could not be sent."""
    if not handed.token:
        flash(gettext("An e-mail with the link is on its way to %(email)s.", email=handed.email), "success")
        return redirect(url_for("admin.users"))
    link = url_for(endpoint, token=handed.token, _external=True)
    problem = say(handed.error.told) if handed.error else ""
    return users_page(problem=problem, link=link, link_for=handed.email, link_is=link_is)


def _is_to_be_sent() -> bool:
    """Whether the admin did not ask to pass the link on; it is shown where mails are not set up."""
    return request.form.get("by") != "link"


def _user(profile_id: uuid.UUID) -> UserRow:
    user = next((user for user in list_users(get_context()) if user.id == profile_id), None)
    if user is None:
        raise NotFoundError
    return user
