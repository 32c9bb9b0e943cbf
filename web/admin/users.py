"""Accounts: set roles, close and reopen accounts. Links are handed over by `web/admin/links.py`."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError
from core.mail.send import mail_is_configured
from services.accounts.list_users import list_users
from services.accounts.roles import Role
from services.accounts.update_user import set_active, set_role
from services.messages.account import AccountRefused
from web.access import access
from web.admin import blueprint
from web.context import get_context, get_person, get_settings
from web.i18n import LANGUAGES, say
from web.security.confirmed import confirmed
from web.told import typed_lines


@blueprint.get("/users")
@access("admin")
def users() -> ResponseReturnValue:
    return users_page()


@blueprint.post("/users/<uuid:profile_id>/role")
@access("admin")
@confirmed
def change_role(profile_id: uuid.UUID) -> ResponseReturnValue:
    try:
        set_role(get_context(), profile_id, role_of_form(), get_person().id)
    except InvalidInputError as error:
        return users_page(problem=say(error.told)), error.http_status
    flash(gettext("The role was changed. It takes effect immediately."), "success")
    return redirect(url_for("admin.users"))


@blueprint.post("/users/<uuid:profile_id>/active")
@access("admin")
@confirmed
def change_active(profile_id: uuid.UUID) -> ResponseReturnValue:
    active = request.form.get("active") == "yes"
    try:
        set_active(get_context(), profile_id, active, get_person().id)
    except InvalidInputError as error:
        return users_page(problem=say(error.told)), error.http_status
    became = gettext("The account was reopened.")
    if not active:
        became = gettext("The account was closed and its sessions were ended.")
    flash(became, "success")
    return redirect(url_for("admin.users"))


def role_of_form() -> Role:
    """Return the role that the form names. Raises InvalidInputError."""
    try:
        return Role(request.form.get("role", ""))
    except ValueError as exc:
        raise InvalidInputError(AccountRefused.NO_SUCH_ROLE) from exc


def users_page(problem: str = "", link: str = "", link_for: str = "", link_is: str = "") -> str:
    """Return the page, with why something was refused, or with a link to pass on."""
    return render_template(
        "admin/users.html",
        users=list_users(get_context()),
        by_mail=mail_is_configured(get_settings()) and get_context().auth is None,
        languages=LANGUAGES,
        problem=problem,
        link=link,
        link_for=link_for,
        link_is=link_is,
        typed={} if link else typed_lines(),
    )
