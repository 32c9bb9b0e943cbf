"""The page on which an entry is typed in by hand, and taking it back."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from services.batches.form_to_type import form_to_type
from services.batches.type_in import FIRST_VERSION, type_in_submission
from services.batches.undo_type_in import undo_type_in
from services.entries.submission_detail import submission_detail
from web.access import access
from web.context import get_context, get_person, get_settings
from web.desk.notices import go_on
from web.desk.version import version_of
from web.i18n import say
from web.submissions import blueprint


@blueprint.get("/submissions/typed-in")
@access("reviewer")
def type_in_page() -> ResponseReturnValue:
    return _page()


@blueprint.post("/submissions/typed-in")
@access("reviewer")
def type_in() -> ResponseReturnValue:
    form = request.form
    values = {
        name.removeprefix("value-"): value.replace("\r\n", "\n")
        for name, value in form.items()
        if name.startswith("value-")
    }
    try:
        made = type_in_submission(
            get_context(),
            get_person(),
            form.get("form", ""),
            values,
            form.get("received_on", ""),
            upload_id=form.get("upload", type=uuid.UUID),
            batch_id=form.get("batch", type=uuid.UUID),
        )
    except InvalidInputError as error:
        return _page(problem=say(error.told), typed=values), error.http_status
    said = gettext("The entry was saved.")
    if made.missing:
        said = gettext("The entry was saved. It is waiting for a person because something is missing.")
    elif made.waits:
        said = gettext("The entry was saved. It is waiting for a person because it may be a duplicate.")
    return go_on(
        url_for("submissions.detail", submission_id=made.id),
        said,
        url_for("submissions.type_in_undo", submission_id=made.id),
    )


@blueprint.post("/submissions/<uuid:submission_id>/typed-in/undo")
@access("reviewer")
def type_in_undo(submission_id: uuid.UUID) -> ResponseReturnValue:
    """Take it back, from the notice, which names no version, or from the entry's page as the person saw it."""
    submission_detail(get_context(), get_person(), submission_id)
    version = version_of(request.form) if "version" in request.form else FIRST_VERSION
    try:
        batch_id = undo_type_in(get_context(), get_person(), submission_id, version)
    except ConflictError as error:
        flash(say(error.told), "problem")
        return redirect(url_for("submissions.detail", submission_id=submission_id))
    flash(gettext("Undone. What was typed is kept with the replaced entry."), "success")
    return redirect(url_for("submissions.batch", batch_id=batch_id))


def _page(problem: str | None = None, typed: dict[str, str] | None = None) -> str:
    asked = form_to_type(
        get_context(),
        get_person(),
        request.values.get("form"),
        request.values.get("upload", type=uuid.UUID),
        request.values.get("batch", type=uuid.UUID),
    )
    return render_template(
        "submissions/typed_in.html",
        asked=asked,
        values=asked.values if typed is None else typed,
        received_on=request.values.get("received_on", ""),
        today=get_settings().office_day(utcnow()),
        problem=problem,
    )
