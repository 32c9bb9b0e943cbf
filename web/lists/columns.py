"""Choose the columns of the list of entries."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import InvalidInputError
from services.lists.list_columns import choose_columns
from web.access import access
from web.context import get_context, get_person
from web.i18n import say
from web.lists import blueprint
from web.submission_filter import as_sent, wanted_submissions


@blueprint.post("/columns")
@access("signed_in")
def choose() -> ResponseReturnValue:
    try:
        choose_columns(get_context(), get_person(), request.form.getlist("column"))
        flash(_("Your columns were saved."), "success")
    except InvalidInputError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("submissions.index", **(as_sent(wanted_submissions(request.form)) or {"all": "yes"})))
