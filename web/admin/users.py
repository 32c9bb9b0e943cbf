"""Accounts: invite people, set roles, close and reopen accounts, create password reset links."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError, NotFoundError
from services.accounts.at_auth.invite import invite_at_auth
from services.accounts.invite_user import invite_user
from services.accounts.list_users import list_users
from services.accounts.request_password_reset import request_password_reset
from services.accounts.roles import Role
from services.accounts.update_user import set_active, set_role
from services.messages.account import AccountRefused
from web.access import access
from web.admin import blueprint
from web.context import get_context, get_person
from web.i18n import say
from web.security.confirmed import confirmed


@blueprint.get("/users")
@access("admin")
def users() -> ResponseReturnValue:
    return _page()


@blueprint.post("/users")
@access("admin")
@confirmed
def invite() -> ResponseReturnValue:
    form = request.form
    email = form.get("email", "")
    try:
        link = _invitation(email, form.get("display_name", ""))
    except InvalidInputError as error:
        return _page(problem=say(error.told)), error.http_status
    return _page(link=link, link_for=email.strip(), link_is="invitation")


@blueprint.post("/users/<uuid:profile_id>/password-reset")
@access("admin")
@confirmed
def make_reset_link(profile_id: uuid.UUID) -> ResponseReturnValue:
    user = next((user for user in list_users(get_context()) if user.id == profile_id), None)
    if user is None:
        raise NotFoundError
    token = request_password_reset(get_context(), user.email, get_person().id)
    link = url_for("auth.password_reset_page", token=token, _external=True)
    return _page(link=link, link_for=user.email, link_is="password reset")


@blueprint.post("/users/<uuid:profile_id>/role")
@access("admin")
@confirmed
def change_role(profile_id: uuid.UUID) -> ResponseReturnValue:
    try:
        set_role(get_context(), profile_id, _role(), get_person().id)
    except InvalidInputError as error:
        return _page(problem=say(error.told)), error.http_status
    flash(gettext("The role was changed. It holds from the next request on."), "success")
    return redirect(url_for("admin.users"))


@blueprint.post("/users/<uuid:profile_id>/active")
@access("admin")
@confirmed
def change_active(profile_id: uuid.UUID) -> ResponseReturnValue:
    active = request.form.get("active") == "yes"
    try:
        set_active(get_context(), profile_id, active, get_person().id)
    except InvalidInputError as error:
        return _page(problem=say(error.told)), error.http_status
    became = gettext("The account is open again.")
    if not active:
        became = gettext("The account is shut and its sessions are ended.")
    flash(became, "success")
    return redirect(url_for("admin.users"))


def _invitation(email: str, display_name: str) -> str:
    """Invite a person and return the link."""
    context, actor_id = get_context(), get_person().id
    if context.auth is None:
        token = invite_user(context, email, _role(), display_name, actor_id)
        return url_for("auth.invitation_page", token=token, _external=True)
    made = invite_at_auth(context, email, _role(), display_name, actor_id)
    return url_for("auth.link_page", token_hash=made.token_hash, type=made.kind, _external=True)


def _role() -> Role:
    try:
        return Role(request.form.get("role", ""))
    except ValueError as exc:
        raise InvalidInputError(AccountRefused.NO_SUCH_ROLE) from exc


def _page(problem: str = "", link: str = "", link_for: str = "", link_is: str = "") -> str:
    return render_template(
        "admin/users.html",
        users=list_users(get_context()),
        problem=problem,
        link=link,
        link_for=link_for,
        link_is=link_is,
        typed=request.form,
    )
