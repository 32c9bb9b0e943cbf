"""Changes of many entries: asked for, previewed, applied, taken back; and their history."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import ConflictError, InvalidInputError
from core.labels import keys_of
from core.models import BulkEffect, BulkItemStatus, BulkKind
from services.bulk_changes.list_changes import ChangeView, change_items, find_change, list_changes
from services.bulk_changes.request_change import ChangeRequest, changeable_fields, request_change
from services.bulk_changes.steer_change import apply_previewed, drop_change, stop_change, take_back
from services.entries.submission_filter import SubmissionFilter
from web.access import access
from web.changing_part import changing_part
from web.context import get_context, get_person
from web.i18n import say
from web.lists import blueprint
from web.lists.chosen import Chosen, chosen_submissions
from web.submission_filter import as_sent
from web.told import typed_lines


@blueprint.get("/changes")
@access("reader")
def changes() -> ResponseReturnValue:
    page = list_changes(get_context(), request.args.get("page"))
    return render_template("lists/changes.html", page=page)


@blueprint.get("/changes/new")
@access("reviewer")
def new_change() -> ResponseReturnValue:
    return _asking(chosen_submissions(request.args))


@blueprint.post("/changes")
@access("reviewer")
def ask_change() -> ResponseReturnValue:
    form, chosen = request.form, chosen_submissions(request.form)
    kind = BulkKind(form["kind"]) if form.get("kind") in keys_of(BulkKind) else BulkKind.SET
    asked = ChangeRequest(
        kind=kind,
        field_name=form.get("field", ""),
        new_value=form.get("new_value"),
        old_value=form.get("old_value"),
        ids=chosen.ids,
        wanted=chosen.wanted,
        with_school=form.get("with_school") == "yes",
        reason=form.get("note"),
    )
    try:
        bulk_id = request_change(get_context(), get_person(), asked)
    except InvalidInputError as error:
        return _asking(chosen, say(error.told)), 400
    return redirect(url_for("lists.change", bulk_id=bulk_id))


@blueprint.get("/changes/<uuid:bulk_id>")
@access("reader")
def change(bulk_id: uuid.UUID) -> ResponseReturnValue:
    return render_template("lists/change.html", **_values(bulk_id))


@blueprint.get("/changes/<uuid:bulk_id>/progress")
@access("reader")
def change_part(bulk_id: uuid.UUID) -> ResponseReturnValue:
    """Return the changing part of the page; 304 while nothing has changed."""
    values = _values(bulk_id)
    found: ChangeView = values["change"]
    facts = (found.status, found.items_done, sorted(found.numbers.items()), found.school)
    return changing_part(hashlib.sha256(repr(facts).encode()).hexdigest()[:32], "lists/_change.html", **values)


@blueprint.post("/changes/<uuid:bulk_id>/apply")
@access("reviewer")
def apply_change(bulk_id: uuid.UUID) -> ResponseReturnValue:
    try:
        apply_previewed(get_context(), get_person(), bulk_id)
    except ConflictError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("lists.change", bulk_id=bulk_id))


@blueprint.post("/changes/<uuid:bulk_id>/stop")
@access("reviewer")
def stop(bulk_id: uuid.UUID) -> ResponseReturnValue:
    try:
        stop_change(get_context(), bulk_id)
    except ConflictError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("lists.change", bulk_id=bulk_id))


@blueprint.post("/changes/<uuid:bulk_id>/undo")
@access("reviewer")
def undo_change(bulk_id: uuid.UUID) -> ResponseReturnValue:
    try:
        take_back(get_context(), get_person(), bulk_id)
    except ConflictError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("lists.change", bulk_id=bulk_id))


@blueprint.post("/changes/<uuid:bulk_id>/drop")
@access("reviewer")
def drop(bulk_id: uuid.UUID) -> ResponseReturnValue:
    try:
        drop_change(get_context(), get_person(), bulk_id)
    except ConflictError as error:
        flash(say(error.told), "problem")
        return redirect(url_for("lists.change", bulk_id=bulk_id))
    flash(_("The preview was discarded. No entry was changed."), "success")
    return redirect(url_for("lists.changes"))


def _asking(chosen: Chosen, problem: str = "") -> str:
    return render_template(
        "lists/new_change.html",
        chosen=chosen,
        sent=as_sent(chosen.wanted),
        narrowed=chosen.wanted != SubmissionFilter(),
        fields=changeable_fields(),
        problem=problem,
        typed=typed_lines() if problem else {},
    )


def _values(bulk_id: uuid.UUID) -> dict[str, Any]:
    status, effect = request.args.get("status"), request.args.get("effect")
    show = {
        "status": status if status in keys_of(BulkItemStatus) else None,
        "effect": effect if effect in keys_of(BulkEffect) else None,
    }
    found = find_change(get_context(), bulk_id)
    return {
        "change": found,
        "wanted": None if found.wanted is None else as_sent(found.wanted),
        "page": change_items(get_context(), bulk_id, show["status"], show["effect"], request.args.get("page")),
        "show": {name: value for name, value in show.items() if value},
        "mine": found.requested_by_id == get_person().id,
    }
