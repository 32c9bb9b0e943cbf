"""Entries read anew to compare: started, looked through, taken, left, taken back."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import ngettext

from core.errors import ConflictError, InvalidInputError
from core.labels import keys_of
from core.models import RereadStatus
from services.entries.submission_filter import SubmissionFilter
from services.rereads.list_rereads import find_reread, list_rereads, reread_items
from services.rereads.start_reread import start_reread
from services.rereads.steer_reread import leave_items, stop_reread, take_back_items, take_items
from services.review.reading_choices import reading_choices
from web.access import access
from web.changing_part import changing_part
from web.context import get_context, get_person
from web.i18n import say
from web.lists import blueprint
from web.lists.chosen import Chosen, chosen_submissions
from web.submission_filter import as_sent


@blueprint.get("/rereads")
@access("reader")
def rereads() -> ResponseReturnValue:
    page = list_rereads(get_context(), request.args.get("page"))
    return render_template("lists/rereads.html", page=page)


@blueprint.get("/rereads/new")
@access("reviewer")
def new_reread() -> ResponseReturnValue:
    return _asking(chosen_submissions(request.args))


@blueprint.post("/rereads")
@access("reviewer")
def ask_reread() -> ResponseReturnValue:
    chosen = chosen_submissions(request.form)
    options = {name: request.form.get(name, "") for name in ("profile", "ocr_provider")}
    try:
        reread_id = start_reread(get_context(), get_person(), chosen.ids, chosen.wanted, options)
    except InvalidInputError as error:
        return _asking(chosen, say(error.told)), 400
    return redirect(url_for("lists.reread", reread_id=reread_id))


@blueprint.get("/rereads/<uuid:reread_id>")
@access("reader")
def reread(reread_id: uuid.UUID) -> ResponseReturnValue:
    return render_template("lists/reread.html", **_values(reread_id))


@blueprint.get("/rereads/<uuid:reread_id>/progress")
@access("reader")
def reread_part(reread_id: uuid.UUID) -> ResponseReturnValue:
    """Return the changing part of the page; 304 while nothing has changed."""
    values = _values(reread_id)
    fingerprint = hashlib.sha256(repr(sorted(values["reread"].numbers.items())).encode()).hexdigest()[:32]
    return changing_part(fingerprint, "lists/_reread.html", **values)


@blueprint.post("/rereads/<uuid:reread_id>/take")
@access("reviewer")
def take(reread_id: uuid.UUID) -> ResponseReturnValue:
    """Take the ticked ones, or all that differ."""
    ids = None if request.form.get("of") == "all" else request.form.getlist("item", type=uuid.UUID)
    try:
        take_items(get_context(), get_person(), reread_id, ids)
    except ConflictError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("lists.reread", reread_id=reread_id))


@blueprint.post("/rereads/<uuid:reread_id>/leave")
@access("reviewer")
def leave(reread_id: uuid.UUID) -> ResponseReturnValue:
    left = leave_items(get_context(), get_person(), reread_id)
    flash(ngettext("%(num)d entry stays as it was.", "%(num)d entries stay as they were.", left), "success")
    return redirect(url_for("lists.reread", reread_id=reread_id))


@blueprint.post("/rereads/<uuid:reread_id>/undo")
@access("reviewer")
def undo_reread(reread_id: uuid.UUID) -> ResponseReturnValue:
    try:
        take_back_items(get_context(), get_person(), reread_id)
    except ConflictError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("lists.reread", reread_id=reread_id))


@blueprint.post("/rereads/<uuid:reread_id>/stop")
@access("reviewer")
def stop_reading(reread_id: uuid.UUID) -> ResponseReturnValue:
    stop_reread(get_context(), reread_id)
    return redirect(url_for("lists.reread", reread_id=reread_id))


def _asking(chosen: Chosen, problem: str = "") -> str:
    return render_template(
        "lists/new_reread.html",
        chosen=chosen,
        sent=as_sent(chosen.wanted),
        narrowed=chosen.wanted != SubmissionFilter(),
        choices=reading_choices(get_context().settings),
        problem=problem,
    )


def _values(reread_id: uuid.UUID) -> dict[str, Any]:
    sent = request.args.get("status")
    status = sent if sent in keys_of(RereadStatus) else None
    found = find_reread(get_context(), reread_id)
    return {
        "reread": found,
        "wanted": None if found.wanted is None else as_sent(found.wanted),
        "page": reread_items(get_context(), reread_id, status, request.args.get("page")),
        "show": {"status": status} if status else {},
    }
