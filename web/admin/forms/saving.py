"""Save a draft as a version of its form, after what it changes was seen."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, InvalidInputError
from services.form_studio.save_draft import save_draft, saving_of
from web.access import access
from web.admin import blueprint
from web.context import get_context, get_person
from web.i18n import say
from web.whole_number import whole_number


@blueprint.get("/forms/drafts/<uuid:draft_id>/save")
@access("admin")
def form_saving(draft_id: uuid.UUID) -> ResponseReturnValue:
    return _shown(draft_id)


@blueprint.post("/forms/drafts/<uuid:draft_id>/save")
@access("admin")
def save_form(draft_id: uuid.UUID) -> ResponseReturnValue:
    version = request.form.get("version", 0, type=whole_number)
    try:
        saved = save_draft(get_context(), get_person().id, draft_id, version)
    except (ConflictError, InvalidInputError) as error:
        return _shown(draft_id, say(error.told)), error.http_status
    message = gettext(
        "%(form)s was saved as version %(number)s. Pages are read with it from now on.",
        form=saved.label,
        number=saved.version,
    )
    flash(message, "success")
    return redirect(url_for("admin.forms"))


def _shown(draft_id: uuid.UUID, problem: str = "") -> str:
    saving = saving_of(get_context(), draft_id)
    return render_template("admin/forms/save.html", saving=saving, draft=saving.draft, problem=problem)
