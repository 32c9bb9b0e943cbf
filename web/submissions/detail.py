"""The page of one entry, and the retry of a failed one."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.models import SecurityEventKind
from services.entries.submission_detail import SubmissionDetail, submission_detail
from services.event_log.list_events import viewers_of
from services.runs.retry_run import retry_run
from web.access import access
from web.context import get_context, get_person
from web.desk.notices import take_notice
from web.security.own_path import own_path
from web.security.viewed import viewed
from web.submissions import blueprint


@blueprint.get("/submissions/<uuid:submission_id>")
@access("signed_in")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def detail(submission_id: uuid.UUID) -> ResponseReturnValue:
    entry = submission_detail(get_context(), get_person(), submission_id, request.args.get("page"))
    return entry_page(entry)


def entry_page(entry: SubmissionDetail, **refused: object) -> str:
    """Render the page. `refused` describes a refused value: `problem`, `typed` and the `edited` field."""
    return render_template(
        "submissions/detail.html",
        entry=entry,
        viewers=viewers_of(get_context(), entry.id) if get_person().role.oversees else [],
        take_notice=take_notice,
        **refused,
    )


@blueprint.post("/submissions/<uuid:submission_id>/retry")
@access("uploader")
def retry(submission_id: uuid.UUID) -> ResponseReturnValue:
    submission_detail(get_context(), get_person(), submission_id)
    retry_run(get_context(), get_person().id, submission_id)
    flash(gettext("The entry is being read again."), "success")
    page = url_for("submissions.detail", submission_id=submission_id)
    return redirect(own_path(request.form.get("next"), page))
