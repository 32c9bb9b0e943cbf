"""The list of entries; its filters live in the URL."""

from __future__ import annotations

from flask import render_template, request
from flask.typing import ResponseReturnValue

from services.entries.list_submissions import list_submissions
from services.entries.submission_filter import SubmissionFilter
from web.access import access
from web.context import get_context, get_person
from web.reasons import reason_options
from web.submission_filter import wanted_submissions
from web.submissions import blueprint


@blueprint.get("/submissions")
@access("signed_in")
def index() -> ResponseReturnValue:
    wanted = wanted_submissions(request.args)
    page = list_submissions(get_context(), get_person(), wanted, request.args.get("page"))
    return render_template(
        "submissions/index.html",
        page=page,
        wanted=wanted,
        narrowed=wanted != SubmissionFilter(),
        filters={key: value for key, value in request.args.items() if key != "page" and value},
        reasons=reason_options(),
    )
