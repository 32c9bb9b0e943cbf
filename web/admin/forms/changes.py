"""Change a draft: its marks, its page, one step back, and remove it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, NotFailedError
from pipeline.blanks.marks import FormMarks
from services.form_studio.begin_draft import choose_page, remove_draft, retry_draft
from services.form_studio.change_draft import DraftChangedError, change_draft, undo_change
from services.form_studio.draft import find_draft
from services.messages.form_studio import StudioConflict
from web.access import access
from web.admin import blueprint
from web.admin.forms.edits import edited
from web.admin.forms.marks_form import marks_of
from web.admin.forms.pages import draft_page, draft_values
from web.context import get_context, get_person
from web.i18n import say
from web.negotiation import wants_json
from web.whole_number import whole_number


@blueprint.post("/forms/drafts/<uuid:draft_id>/marks")
@access("admin")
def change_form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    """Save the marks as typed, then what a button changes of them: a step each, to be taken back by itself."""

    typed = _typed(draft_id)
    # Before anything is saved: a button that there is not is refused.
    marks, part = edited(typed, request.form.get("do", ""), request.form)

    def change(version: int) -> str:
        change_draft(get_context(), get_person().id, draft_id, marks, version)
        return part

    return _changed(draft_id, typed, change)


@blueprint.post("/forms/drafts/<uuid:draft_id>/undo")
@access("admin")
def undo_form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    """Take back what was typed since the last save, or else the change before it."""

    def change(version: int) -> str:
        undo_change(get_context(), get_person().id, draft_id, version)
        return "fields"

    return _changed(draft_id, _typed(draft_id), change)


def _typed(draft_id: uuid.UUID) -> FormMarks:
    """Return the marks as they were typed. Raises NotFoundError, ConflictError, InvalidInputError."""
    draft = find_draft(get_context(), draft_id)
    if draft.marks is None:
        raise ConflictError(StudioConflict.BEING_READ)
    return marks_of(request.form, draft.marks.page)


def _changed(draft_id: uuid.UUID, typed: FormMarks, change: Callable[[int], str]) -> ResponseReturnValue:
    """Save what was typed, then make the change, which gets the version and returns the part to be shown."""
    version = request.form.get("version", 0, type=whole_number)
    try:
        part = change(change_draft(get_context(), get_person().id, draft_id, typed, version))
    except DraftChangedError as error:
        # What was typed is given back; sent again, it replaces the other change, which can be brought back.
        if wants_json():
            return jsonify(message=say(error.told), version=error.version), 409
        kept = replace(find_draft(get_context(), draft_id), marks=typed, version=error.version)
        return draft_page(kept, say(error.told)), error.http_status
    return _answered(draft_id, part)


@blueprint.post("/forms/drafts/<uuid:draft_id>/page")
@access("admin")
def choose_form_page(draft_id: uuid.UUID) -> ResponseReturnValue:
    choose_page(get_context(), draft_id, request.form.get("page_no", 1, type=whole_number))
    return redirect(url_for("admin.form_draft", draft_id=draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/retry")
@access("admin")
def retry_form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    try:
        retry_draft(get_context(), draft_id)
    except NotFailedError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("admin.form_draft", draft_id=draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/remove")
@access("admin")
def remove_form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    remove_draft(get_context(), draft_id)
    flash(gettext("The draft was removed with its samples."), "success")
    return redirect(url_for("admin.forms"))


def _answered(draft_id: uuid.UUID, part: str) -> ResponseReturnValue:
    """Lead to the part of the page, or give a script the new state: parts of the page where they have changed."""
    if not wants_json():
        return redirect(url_for("admin.form_draft", draft_id=draft_id, _anchor=part or None))
    draft = find_draft(get_context(), draft_id)
    values = draft_values(draft)
    return jsonify(
        version=draft.version,
        part=part,
        problems=render_template("admin/forms/_problems.html", **values),
        inputs=render_template("admin/forms/_marks.html", **values) if part else None,
        boxes=render_template("admin/forms/_boxes.html", **values) if part else None,
        steps=draft.steps,
    )
