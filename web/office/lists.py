"""What lists of entries share: chosen rows, kept filters and columns, operations over many entries."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict

from core.errors import ConflictError, InvalidInputError
from core.messages import LabelledEnum, keys_of
from core.models import BulkEffect, BulkItemStatus, BulkKind, RereadStatus
from services.accounts.person import Person
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.many.bulk_request import (
    BULK_CHANGE,
    ChangeRequest,
    apply_previewed,
    changeable_fields,
    drop_change,
    request_change,
    stop_change,
    take_back,
)
from services.many.operation import Operation, RequestView
from services.many.reread import leave_items, start_reread, stop_reread, take_back_items, take_items
from services.many.reread_items import REREAD
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
from web.access import Area, get_context, get_person
from web.i18n import notice_of, say, shown_again
from web.labels import typed_lines
from web.submission_filter import as_sent, wanted_submissions
from web.templating import changing_part

# Pages around the list of entries: kept filters, columns, changes of many entries at once.


blueprint = Area("lists", __name__, url_prefix="/submissions")


# Operations over many entries: the requests of a kind, one of them with its progress and items, stop and undo.


@dataclass(frozen=True)
class _Kind:
    """One kind of operation, and what its pages need beside it."""

    #: The endpoint of the page of one request.
    name: str
    operation: Operation[Any, Any]
    #: Parameters that filter the items, and the values that each may have.
    filters: Mapping[str, type[LabelledEnum]]
    stop: Callable[[Context, uuid.UUID], object]
    take_back: Callable[[Context, Person, uuid.UUID], object]


_CHANGES = _Kind("change", BULK_CHANGE, {"status": BulkItemStatus, "effect": BulkEffect}, stop_change, take_back)
_REREADS = _Kind("reread", REREAD, {"status": RereadStatus}, stop_reread, take_back_items)


def _kind() -> _Kind:
    return _CHANGES if request.path.startswith(f"{blueprint.url_prefix}/changes") else _REREADS


@blueprint.get("/changes", "reader", endpoint="changes")
@blueprint.get("/rereads", "reader", endpoint="rereads")
def history() -> ResponseReturnValue:
    kind = _kind()
    page = kind.operation.list_requests(get_context(), request.args.get("page"))
    return render_template(f"lists/{kind.name}s.html", page=page, kind=kind.name)


@blueprint.get("/changes/<uuid:key>", "reader", endpoint="change")
@blueprint.get("/rereads/<uuid:key>", "reader", endpoint="reread")
def requested(key: uuid.UUID) -> ResponseReturnValue:
    return render_template("lists/requested.html", **_values(key))


@blueprint.get("/changes/<uuid:key>/progress", "reader", endpoint="change_part")
@blueprint.get("/rereads/<uuid:key>/progress", "reader", endpoint="reread_part")
def requested_part(key: uuid.UUID) -> ResponseReturnValue:
    values = _values(key)
    return changing_part(values["requested"], f"lists/_{values['kind']}.html", **values)


@blueprint.post("/changes/<uuid:key>/stop", "reviewer", endpoint="stop")
@blueprint.post("/rereads/<uuid:key>/stop", "reviewer", endpoint="stop_reading")
def stop(key: uuid.UUID) -> ResponseReturnValue:
    kind = _kind()
    with notice_of(ConflictError):
        kind.stop(get_context(), key)
    return redirect(url_for(f"lists.{kind.name}", key=key))


@blueprint.post("/changes/<uuid:key>/undo", "reviewer", endpoint="undo_change")
@blueprint.post("/rereads/<uuid:key>/undo", "reviewer", endpoint="undo_reread")
def undo(key: uuid.UUID) -> ResponseReturnValue:
    kind = _kind()
    with notice_of(ConflictError):
        kind.take_back(get_context(), get_person(), key)
    return redirect(url_for(f"lists.{kind.name}", key=key))


def _values(key: uuid.UUID) -> dict[str, Any]:
    kind = _kind()
    show = {
        name: request.args[name]
        for name, known in kind.filters.items()
        if request.args.get(name) in keys_of(known)
    }
    found: RequestView = kind.operation.find(get_context(), key)
    return {
        "kind": kind.name,
        "requested": found,
        "wanted": None if found.wanted is None else as_sent(found.wanted),
        "page": kind.operation.list_items(get_context(), key, request.args.get("page"), **show),
        "show": show,
        "mine": found.requested_by_id == get_person().id,
    }


def _asking(chosen: Chosen, problem: str, **values: Any) -> str:
    kind = _kind().name
    return render_template(
        f"lists/new_{kind}.html",
        kind=kind,
        chosen=chosen,
        sent=as_sent(chosen.wanted),
        narrowed=chosen.wanted != SubmissionFilter(),
        problem=problem,
        **values,
    )


# Changes of many entries: asked for, applied, dropped.


@blueprint.get("/changes/new", "reviewer")
def new_change() -> ResponseReturnValue:
    return _asking_change(chosen_submissions(request.args))


@blueprint.post("/changes", "reviewer")
@shown_again(lambda problem: _asking_change(chosen_submissions(request.form), problem), InvalidInputError)
def ask_change() -> ResponseReturnValue:
    form, chosen = request.form, chosen_submissions(request.form)
    kind = form.get("kind", BulkKind.SET, type=BulkKind)
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
    bulk_id = request_change(get_context(), get_person(), asked)
    return redirect(url_for("lists.change", key=bulk_id))


@blueprint.post("/changes/<uuid:key>/apply", "reviewer")
def apply_change(key: uuid.UUID) -> ResponseReturnValue:
    with notice_of(ConflictError):
        apply_previewed(get_context(), get_person(), key)
    return redirect(url_for("lists.change", key=key))


@blueprint.post("/changes/<uuid:key>/drop", "reviewer")
def drop(key: uuid.UUID) -> ResponseReturnValue:
    try:
        drop_change(get_context(), get_person(), key)
    except ConflictError as error:
        flash(say(error.told), "problem")
        return redirect(url_for("lists.change", key=key))
    flash(_("The preview was discarded. No entry was changed."), "success")
    return redirect(url_for("lists.changes"))


def _asking_change(chosen: Chosen, problem: str = "") -> str:
    typed = typed_lines() if problem else {}
    return _asking(chosen, problem, fields=changeable_fields(), typed=typed)


# Entries read anew to compare: started, taken, left.


@blueprint.get("/rereads/new", "reviewer")
def new_reread() -> ResponseReturnValue:
    return _asking_reread(chosen_submissions(request.args))


@blueprint.post("/rereads", "reviewer")
@shown_again(lambda problem: _asking_reread(chosen_submissions(request.form), problem), InvalidInputError)
def ask_reread() -> ResponseReturnValue:
    chosen = chosen_submissions(request.form)
    options = {name: request.form.get(name, "") for name in ("profile", "ocr_provider")}
    reread_id = start_reread(get_context(), get_person(), chosen.ids, chosen.wanted, options)
    return redirect(url_for("lists.reread", key=reread_id))


@blueprint.post("/rereads/<uuid:key>/take", "reviewer")
def take(key: uuid.UUID) -> ResponseReturnValue:
    """Take the ticked ones, or all that differ."""
    ids = None if request.form.get("of") == "all" else request.form.getlist("item", type=uuid.UUID)
    with notice_of(ConflictError):
        take_items(get_context(), get_person(), key, ids)
    return redirect(url_for("lists.reread", key=key))


@blueprint.post("/rereads/<uuid:key>/leave", "reviewer")
def leave(key: uuid.UUID) -> ResponseReturnValue:
    left = leave_items(get_context(), get_person(), key)
    flash(ngettext("%(num)d entry stays as it was.", "%(num)d entries stay as they were.", left), "success")
    return redirect(url_for("lists.reread", key=key))


def _asking_reread(chosen: Chosen, problem: str = "") -> str:
    choices = reading_choices(get_context().settings)
    return _asking(chosen, problem, choices=choices)


# Filters that a person keeps under names.


@blueprint.get("/filters", "signed_in")
def filters() -> ResponseReturnValue:
    kept = list_filters(get_context(), get_person())
    return render_template(
        "lists/filters.html", kept=[(one, as_sent(one.wanted)) for one in kept], longest=MAX_NAME
    )


@blueprint.post("/filters", "signed_in")
def save() -> ResponseReturnValue:
    wanted, name = wanted_submissions(request.form), request.form.get("name", "")
    with notice_of(InvalidInputError):
        save_filter(get_context(), get_person(), name, wanted, request.form.get("is_default") == "yes")
        flash(_("The filter was saved."), "success")
    return redirect(url_for("submissions.index", **(as_sent(wanted) or {"all": "yes"})))


@blueprint.post("/filters/<uuid:filter_id>/rename", "signed_in")
def rename(filter_id: uuid.UUID) -> ResponseReturnValue:
    with notice_of(InvalidInputError):
        rename_filter(get_context(), get_person(), filter_id, request.form.get("name", ""))
    return redirect(url_for("lists.filters"))


@blueprint.post("/filters/<uuid:filter_id>/default", "signed_in")
def set_default(filter_id: uuid.UUID) -> ResponseReturnValue:
    make_default(get_context(), get_person(), filter_id, request.form.get("is_default") == "yes")
    return redirect(url_for("lists.filters"))


@blueprint.post("/filters/<uuid:filter_id>/delete", "signed_in")
def delete(filter_id: uuid.UUID) -> ResponseReturnValue:
    delete_filter(get_context(), get_person(), filter_id)
    flash(_("The filter was deleted. No entry was changed."), "success")
    return redirect(url_for("lists.filters"))


# Choose the columns of the list of entries.


@blueprint.post("/columns", "signed_in")
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
