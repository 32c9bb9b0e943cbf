"""The queue of revisions of reports."""

from __future__ import annotations

from flask import render_template, request
from flask.typing import ResponseReturnValue

from services.review.waiting import count_waiting
from services.supervision.list_revisions import list_revisions
from web.access import access
from web.context import get_context, get_person
from web.desk.keymap import REVISION_BINDINGS
from web.desk.next_revision import next_revision_url
from web.review import blueprint


@blueprint.get("/suggestions/reports")
@access("report_reader")
def report_revisions() -> ResponseReturnValue:
    context = get_context()
    return render_template(
        "review/report_revisions.html",
        page=list_revisions(context, request.args.get("page")),
        counts=count_waiting(context),
        first_url=next_revision_url(None) if get_person().role.may_research else None,
        done=request.args.get("done"),
        bindings=REVISION_BINDINGS,
    )
