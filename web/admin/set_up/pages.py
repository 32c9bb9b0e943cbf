"""The page of the set-up, and the part of it that follows a worker."""

from __future__ import annotations

from typing import Any

from flask import render_template
from flask.typing import ResponseReturnValue

from core.mail.send import mail_is_configured
from core.models import SetUpKey
from services.set_up.steps import set_up_view
from web.access import access
from web.admin import blueprint
from web.changing_part import changing_part
from web.context import get_context, get_settings
from web.told import typed_lines


@blueprint.get("/set-up")
@access("admin")
def set_up() -> ResponseReturnValue:
    return set_up_page()


@blueprint.get("/set-up/reading")
@access("admin")
def set_up_part() -> ResponseReturnValue:
    """Return what a worker reads; 304 while nothing has changed."""
    found = set_up_view(get_context())
    step = found.steps[SetUpKey.READING]
    fingerprint = f"{step.state}-{step.changed_at}-{len(found.queue)}"
    return changing_part(
        fingerprint.replace(" ", "-"), "admin/set_up/_reading.html", set_up=found, problem="", problem_at=""
    )


def set_up_page(problem: str = "", at: str = "", **values: Any) -> str:
    """Return the page, with why a change was refused, told at the step `at`."""
    return render_template(
        "admin/set_up/page.html",
        set_up=set_up_view(get_context()),
        mail_configured=mail_is_configured(get_settings()),
        problem=problem,
        problem_at=at,
        typed=typed_lines(),
        **values,
    )
