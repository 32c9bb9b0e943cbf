"""Filters that a person keeps under names."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import InvalidInputError
from services.lists.saved_filters import (
    MAX_NAME,
    delete_filter,
    list_filters,
    make_default,
    rename_filter,
    save_filter,
)
from web.access import access
from web.context import get_context, get_person
from web.i18n import say
from web.lists import blueprint
from web.submission_filter import as_sent, wanted_submissions


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
    try:
        save_filter(get_context(), get_person(), name, wanted, request.form.get("is_default") == "yes")
        flash(_("The filter was saved."), "success")
    except InvalidInputError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("submissions.index", **(as_sent(wanted) or {"all": "yes"})))


@blueprint.post("/filters/<uuid:filter_id>/rename")
@access("signed_in")
def rename(filter_id: uuid.UUID) -> ResponseReturnValue:
    try:
        rename_filter(get_context(), get_person(), filter_id, request.form.get("name", ""))
    except InvalidInputError as error:
        flash(say(error.told), "problem")
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
