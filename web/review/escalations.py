"""The queue of escalations; one is settled or rejected on the page of its entry."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.errors import InvalidInputError
from services.queries.list_escalations import list_escalations, next_escalated
from services.queries.submission_detail import submission_detail
from services.resolve_escalation import resolve_escalation
from web.access import access
from web.context import get_context, get_person
from web.labels import in_words
from web.review import blueprint
from web.review.answers import changed_values, version_of


@blueprint.get("/escalations")
@access("reader")
def escalations() -> ResponseReturnValue:
    page = list_escalations(get_context(), request.args.get("page"))
    return render_template("review/escalations.html", page=page)


@blueprint.post("/escalations/<uuid:escalation_id>/of/<uuid:submission_id>")
@access("reviewer")
def resolve(escalation_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    """Settle the entry or reject it; a value that does not fit comes back with the form as it was typed."""
    context, form = get_context(), request.form
    entry = submission_detail(context, get_person(), submission_id)
    rejects = form.get("decide") == "reject"
    try:
        resolve_escalation(
            context,
            get_person().id,
            escalation_id,
            version_of(form),
            "reject" if rejects else "settle",
            {} if rejects else changed_values(form, entry.fields),
            form.get("reason", "").strip() or None,
        )
    except InvalidInputError as error:
        page = render_template("submissions/detail.html", entry=entry, problem=in_words(error.detail), typed=form)
        return page, error.http_status
    flash(f"{entry.student_name or 'The entry'}: {'rejected' if rejects else 'settled'}.", "success")
    return redirect(_next(escalation_id))


def _next(escalation_id: uuid.UUID) -> str:
    found = next_escalated(get_context(), escalation_id)
    if found is None:
        return url_for("review.escalations")
    return url_for("submissions.detail", submission_id=found)
