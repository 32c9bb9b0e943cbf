"""The replay of a run by other rules: shows the difference, writes nothing."""

from __future__ import annotations

from flask import request
from flask.typing import ResponseReturnValue

from core.errors import ConflictError, InvalidInputError
from web.access import access
from web.admin import blueprint
from web.admin.runs.pages import run_page
from web.admin.seasons.rules_form import changes_of
from web.context import get_context
from web.i18n import say


@blueprint.post("/runs/<run_id>/replay")
@access("overseer")
def replay_run(run_id: str) -> ResponseReturnValue:
    # Imported here: LangGraph takes seconds, and no other page needs it.
    from services.replays.replay import replay

    changes = {key: value for key, value in changes_of(request.form).items() if value is not None}
    try:
        found = replay(get_context(), run_id, changes, request.form.get("from") or None)
    except (InvalidInputError, ConflictError) as error:
        return run_page(run_id, replay_problem=say(error.told)), error.http_status
    return run_page(run_id, replay=found)
