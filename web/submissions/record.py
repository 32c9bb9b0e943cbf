"""Edit a value on the page of an entry, or reopen the entry."""

from __future__ import annotations

import uuid

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, InvalidInputError
from services.batches.received import receive_submission
from services.entries.edit_record import edit_record
from services.entries.reopen_record import reopen_record
from services.entries.submission_detail import submission_detail
from services.review.reading_choices import ReadingChoices, reading_choices
from web.access import access
from web.context import get_context, get_person, get_settings
from web.desk.notices import go_on
from web.desk.version import version_of
from web.i18n import say
from web.labels import DERIVED_FIELDS
from web.submissions import blueprint
from web.submissions.detail import entry_page


@blueprint.app_template_global()
def reading_options() -> ReadingChoices:
    """Return the choices for reading an entry again."""
    return reading_choices(get_settings())


@blueprint.post("/submissions/<uuid:submission_id>/fields/<name>")
@access("reviewer")
def edit_field(submission_id: uuid.UUID, name: str) -> ResponseReturnValue:
    """Save one typed value; a refused one is shown again with the reason."""
    context, person, form = get_context(), get_person(), request.form
    entry = submission_detail(context, person, submission_id)
    if name in DERIVED_FIELDS or f"value-{name}" not in form:
        abort(404)
    value = form[f"value-{name}"].replace("\r\n", "\n")
    reason = form.get("reason", "").strip() or None
    try:
        edited = edit_record(context, person.id, submission_id, version_of(form), {name: value}, reason)
    except (ConflictError, InvalidInputError) as error:
        return entry_page(entry, problem=say(error.told), typed=form, edited=name), error.http_status
    return go_on(
        url_for("submissions.detail", submission_id=submission_id),
        gettext("The value was saved."),
        url_for("review.undo", decision_id=edited.decision_id),
    )


@blueprint.post("/submissions/<uuid:submission_id>/received")
@access("reviewer")
def received(submission_id: uuid.UUID) -> ResponseReturnValue:
    """Give the day on which the entry was received; the season's deadline is held against it."""
    receive_submission(get_context(), get_person(), submission_id, request.form.get("received_on", ""))
    flash(gettext("The date received was saved."), "success")
    return redirect(url_for("submissions.detail", submission_id=submission_id))


@blueprint.post("/submissions/<uuid:submission_id>/reopen")
@access("reviewer")
def reopen(submission_id: uuid.UUID) -> ResponseReturnValue:
    """Reopen a settled entry; its page then offers to settle it or to read it again."""
    submission_detail(get_context(), get_person(), submission_id)
    reason = request.form.get("reason", "").strip() or None
    reopen_record(get_context(), get_person().id, submission_id, version_of(request.form), reason)
    flash(gettext("The entry is waiting for a person again."), "success")
    return redirect(url_for("submissions.detail", submission_id=submission_id))
