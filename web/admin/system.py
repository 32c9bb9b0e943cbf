"""The state of the installation: what the checks of `flask doctor` find."""

from __future__ import annotations

from flask import render_template
from flask.typing import ResponseReturnValue

from services.doctor.examine import examine, something_wrong
from web.access import access
from web.admin import blueprint
from web.context import get_context


@blueprint.get("/system")
@access("overseer")
def system() -> ResponseReturnValue:
    return _page(elsewhere=False)


@blueprint.post("/system")
@access("admin")
def try_everything() -> ResponseReturnValue:
    """Ask the language model and the trace endpoint too; changes nothing, so that the answer is the page."""
    return _page(elsewhere=True)


def _page(elsewhere: bool) -> str:
    found = examine(get_context(), elsewhere)
    return render_template("admin/system.html", findings=found, wrong=something_wrong(found), elsewhere=elsewhere)
