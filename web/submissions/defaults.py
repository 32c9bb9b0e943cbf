"""Values where the pages of a batch give none, after it was read: look at what they do, apply, take back."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext

from core.errors import ConflictError, InvalidInputError
from services.batches.apply_defaults import (
    Applied,
    apply_defaults,
    defaults_view,
    preview_defaults,
    undo_defaults,
)
from services.uploads.batch_progress import batch_progress
from web.access import access
from web.context import get_context, get_person
from web.desk.notices import go_on
from web.i18n import say
from web.submissions import blueprint
from web.submissions.said import typed_defaults
from web.whole_number import whole_number

#: Entries that the page shows.
SHOWN = 200


@blueprint.get("/batches/<uuid:batch_id>/defaults")
@access("uploader")
def defaults_preview(batch_id: uuid.UUID) -> ResponseReturnValue:
    return _page(batch_id)


@blueprint.post("/batches/<uuid:batch_id>/defaults")
@access("uploader")
def defaults_apply(batch_id: uuid.UUID) -> ResponseReturnValue:
    typed, version = typed_defaults(request.form), request.form.get("version", 0, type=whole_number)
    try:
        applied = apply_defaults(get_context(), get_person(), batch_id, typed, version)
    except (ConflictError, InvalidInputError) as error:
        return _page(batch_id, problem=say(error.told)), error.http_status
    undo = None
    if applied.change_id is not None:
        undo = url_for("submissions.defaults_undo", batch_id=batch_id, change_id=applied.change_id)
    return go_on(url_for("submissions.batch", batch_id=batch_id), _told(applied), undo)


@blueprint.post("/batches/<uuid:batch_id>/defaults/<uuid:change_id>/undo")
@access("uploader")
def defaults_undo(batch_id: uuid.UUID, change_id: uuid.UUID) -> ResponseReturnValue:
    undone = undo_defaults(get_context(), get_person(), batch_id, change_id)
    flash(gettext("Undone.") + " " + _told(undone), "success")
    return redirect(url_for("submissions.batch", batch_id=batch_id))


def _page(batch_id: uuid.UUID, problem: str | None = None) -> str:
    context, person = get_context(), get_person()
    typed = typed_defaults(request.values)
    planned = None
    if problem is None:
        try:
            typed, planned = preview_defaults(context, person, batch_id, typed)
        except InvalidInputError as error:
            problem = say(error.told)
    return render_template(
        "submissions/defaults.html",
        batch=batch_progress(context, person, batch_id),
        view=defaults_view(context, person, batch_id),
        given=typed,
        planned=planned,
        changing=[one for one in planned or () if one.changes],
        shown=SHOWN,
        problem=problem,
    )


def _told(applied: Applied) -> str:
    said = ngettext(
        "%(num)d entry is being decided again.", "%(num)d entries are being decided again.", applied.reached
    )
    if not applied.held:
        return said
    left = ngettext(
        "%(num)d is open by someone: apply the values again later.",
        "%(num)d are open by someone: apply the values again later.",
        applied.held,
    )
    return f"{said} {left}"
