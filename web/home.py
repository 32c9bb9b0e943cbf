"""The start page, which redirects to the main page of the person's role."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from flask.typing import ResponseReturnValue

from services.accounts.roles import Role
from web.access import access
from web.context import get_person

blueprint = Blueprint("home", __name__)

_STARTS = {
    Role.UPLOADER: "submissions.upload_page",
    Role.OFFICER: "research.index",
    Role.REVIEWER: "review.suggestions",
    Role.AUDITOR: "submissions.index",
    Role.ADMIN: "admin.stats",
}


@blueprint.get("/")
@access("signed_in")
def home() -> ResponseReturnValue:
    return redirect(url_for(_STARTS[get_person().role]))
