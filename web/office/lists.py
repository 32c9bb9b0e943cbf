"""What lists of entries share: chosen rows, kept filters and columns, changes to many, reading anew."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict

from core.errors import ConflictError, InvalidInputError
from core.messages import keys_of
from core.models import BulkEffect, BulkItemStatus, BulkKind, RereadStatus
from services.bulk_changes.listing import ChangeView, change_items, find_change, list_changes
from services.bulk_changes.request import (
    ChangeRequest,
    apply_previewed,
    changeable_fields,
    drop_change,
    request_change,
    stop_change,
    take_back,
)
from services.entries.listing import SubmissionFilter
from services.rereads.items import find_reread, list_rereads, reread_items
from services.rereads.reread import leave_items, start_reread, stop_reread, take_back_items, take_items
from services.review.item import reading_choices
from services.saved_lists import (
    MAX_NAME,
    choose_columns,
    delete_filter,
    list_filters,
    make_default,
    rename_filter,
    save_filter,
)
from web.access import access, get_context, get_person
from web.i18n import notice_of, say
from web.labels import typed_lines
from web.submission_filter import as_sent, wanted_submissions
from web.templating import changing_part

# Pages around the list of entries: kept filters, columns, changes of many entries at once.


blueprint = Blueprint("lists", __name__, url_prefix="/submissions")


# Changes of many entries: asked for, previewed, applied, taken back; and their history.


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
    with notice_of(ConflictError):
        apply_previewed(get_context(), get_person(), bulk_id)
    return redirect(url_for("lists.change", bulk_id=bulk_id))


@blueprint.post("/changes/<uuid:bulk_id>/stop")
@access("reviewer")
def stop(bulk_id: uuid.UUID) -> ResponseReturnValue:
    with notice_of(ConflictError):
        stop_change(get_context(), bulk_id)
    return redirect(url_for("lists.change", bulk_id=bulk_id))


@blueprint.post("/changes/<uuid:bulk_id>/undo")
@access("reviewer")
def undo_change(bulk_id: uuid.UUID) -> ResponseReturnValue:
    with notice_of(ConflictError):
        take_back(get_context(), get_person(), bulk_id)
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


# Entries read anew to compare: started, looked through, taken, left, taken back.


@blueprint.get("/rereads")
@access("reader")
def rereads() -> ResponseReturnValue:
    page = list_rereads(get_context(), request.args.get("page"))
    return render_template("lists/rereads.html", page=page)


@blueprint.get("/rereads/new")
@access("reviewer")
def new_reread() -> ResponseReturnValue:
    return _asking_to_reread(chosen_submissions(request.args))


@blueprint.post("/rereads")
@access("reviewer")
def ask_reread() -> ResponseReturnValue:
    chosen = chosen_submissions(request.form)
    options = {name: request.form.get(name, "") for name in ("profile", "ocr_provider")}
    try:
        reread_id = start_reread(get_context(), get_person(), chosen.ids, chosen.wanted, options)
    except InvalidInputError as error:
        return _asking_to_reread(chosen, say(error.told)), 400
    return redirect(url_for("lists.reread", reread_id=reread_id))


@blueprint.get("/rereads/<uuid:reread_id>")
@access("reader")
def reread(reread_id: uuid.UUID) -> ResponseReturnValue:
    return render_template("lists/reread.html", **_reread_values(reread_id))


@blueprint.get("/rereads/<uuid:reread_id>/progress")
@access("reader")
def reread_part(reread_id: uuid.UUID) -> ResponseReturnValue:
    """Return the changing part of the page; 304 while nothing has changed."""
    values = _reread_values(reread_id)
    fingerprint = hashlib.sha256(repr(sorted(values["reread"].numbers.items())).encode()).hexdigest()[:32]
    return changing_part(fingerprint, "lists/_reread.html", **values)


@blueprint.post("/rereads/<uuid:reread_id>/take")
@access("reviewer")
def take(reread_id: uuid.UUID) -> ResponseReturnValue:
    """Take the ticked ones, or all that differ."""
    ids = None if request.form.get("of") == "all" else request.form.getlist("item", type=uuid.UUID)
    with notice_of(ConflictError):
        take_items(get_context(), get_person(), reread_id, ids)
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
    with notice_of(ConflictError):
        take_back_items(get_context(), get_person(), reread_id)
    return redirect(url_for("lists.reread", reread_id=reread_id))


@blueprint.post("/rereads/<uuid:reread_id>/stop")
@access("reviewer")
def stop_reading(reread_id: uuid.UUID) -> ResponseReturnValue:
    stop_reread(get_context(), reread_id)
    return redirect(url_for("lists.reread", reread_id=reread_id))


def _asking_to_reread(chosen: Chosen, problem: str = "") -> str:
    return render_template(
        "lists/new_reread.html",
        chosen=chosen,
        sent=as_sent(chosen.wanted),
        narrowed=chosen.wanted != SubmissionFilter(),
        choices=reading_choices(get_context().settings),
        problem=problem,
    )


def _reread_values(reread_id: uuid.UUID) -> dict[str, Any]:
    sent = request.args.get("status")
    status = sent if sent in keys_of(RereadStatus) else None
    found = find_reread(get_context(), reread_id)
    return {
        "reread": found,
        "wanted": None if found.wanted is None else as_sent(found.wanted),
        "page": reread_items(get_context(), reread_id, status, request.args.get("page")),
        "show": {"status": status} if status else {},
    }


# Filters that a person keeps under names.


@blueprint.get("/filters")
@access("signed_in")
def filters() -> ResponseReturnValue:
    kept = list_filters(get_context(), get_person())
    return render_template(
        "lists/filters.html", kept=[(one, as_sent(one.wanted)) for one in kept], longest=MAX_NAME
    )


@blueprint.post("/filters")
@access("signed_in")
def save() -> ResponseReturnValue:
    wanted, name = wanted_submissions(request.form), request.form.get("name", "")
    with notice_of(InvalidInputError):
        save_filter(get_context(), get_person(), name, wanted, request.form.get("is_default") == "yes")
        flash(_("The filter was saved."), "success")
    return redirect(url_for("submissions.index", **(as_sent(wanted) or {"all": "yes"})))


@blueprint.post("/filters/<uuid:filter_id>/rename")
@access("signed_in")
def rename(filter_id: uuid.UUID) -> ResponseReturnValue:
    with notice_of(InvalidInputError):
        rename_filter(get_context(), get_person(), filter_id, request.form.get("name", ""))
    return redirect(url_for("lists.filters"))


@blueprint.post("/filters/<uuid:filter_id>/default")
@access("signed_in")
def set_default(filter_id: uuid.UUID) -> ResponseReturnValue:
    make_default(get_context(), get_person(), filter_id, request.form.get("is_default") == "yes")
    return redirect(url_for("lists.filters"))


@blueprint.post("/filters/<uuid:filter_id>/delete")
@access("signed_in")
def delete(filter_id: uuid.UUID) -> ResponseReturnValue:
    delete_filter(get_context(), get_person(), filter_id)
    flash(_("The filter was deleted. No entry was changed."), "success")
    return redirect(url_for("lists.filters"))


# Choose the columns of the list of entries.


@blueprint.post("/columns")
@access("signed_in")
def choose() -> ResponseReturnValue:
    with notice_of(InvalidInputError):
        choose_columns(get_context(), get_person(), request.form.getlist("column"))
        flash(_("Your columns were saved."), "success")
    return redirect(url_for("submissions.index", **(as_sent(wanted_submissions(request.form)) or {"all": "yes"})))


# Entries that a person has chosen: ticked ones, else those of a filter.


@dataclass(frozen=True)
class Chosen:
    """What was chosen. Where entries were ticked, the filter is that of the list that they stood in."""

    ids: tuple[uuid.UUID, ...]
    wanted: SubmissionFilter
    #: Somebody wanted the ticked ones, and ticked none.
    nothing: bool


def chosen_submissions(given: MultiDict[str, str]) -> Chosen:
    """Read it from the parameters of an address or a form: `of` says whether the ticked ones or all are meant."""
    ticked = tuple(given.getlist("entry", type=uuid.UUID)) if given.get("of") == "ticked" else ()
    return Chosen(ticked, wanted_submissions(given), given.get("of") == "ticked" and not ticked)
