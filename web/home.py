"""The start page, which redirects to the main page of the person's role."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from flask.typing import ResponseReturnValue

from services.accounts.roles import Role
from services.set_up.steps import set_up_is_over
from web.access import access
from web.context import get_context, get_person, get_settings

blueprint = Blueprint("home", __name__)

_STARTS = {
    Role.UPLOADER: "submissions.upload_page",
    Role.OFFICER: "research.index",
    Role.REVIEWER: "review.queue",
    Role.AUDITOR: "submissions.index",
    Role.ADMIN: "admin.stats",
}


@blueprint.get("/")
@access("signed_in")
def home() -> ResponseReturnValue:
    return redirect(url_for("admin.set_up" if _leads_to_set_up() else _STARTS[get_person().role]))


def _leads_to_set_up() -> bool:
    """Whether the person has an installation to set up that is new. A demo is not: it has a hint at its pages."""
    if not get_person().role.may_administer or get_settings().demo_accounts:
        return False
    return not set_up_is_over(get_context())
