"""What a person decides on a pair, and taking it back."""

from __future__ import annotations

import uuid

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import ConflictError, InvalidInputError
from core.labels import keys_of
from core.models import PairDecision
from services.messages.refused import Refused
from services.review.duplicates.decide_pair import decide_pair
from services.review.duplicates.pair_detail import pair_detail
from services.review.duplicates.undo_pair import undo_pair
from services.review.duplicates.values_first import Given, give_values
from web.access import access
from web.context import get_context, get_person
from web.desk.notices import go_on
from web.desk.version import version_of
from web.duplicates import blueprint
from web.duplicates.pages import next_url, page_of
from web.i18n import say
from web.labels import label
from web.whole_number import whole_number


@blueprint.post("/<uuid:pair_id>")
@access("reviewer")
def decide(pair_id: uuid.UUID) -> ResponseReturnValue:
    """Decide, and show the next pair; where somebody was first, show what they did."""
    context, person, sent = get_context(), get_person(), request.form.get("decision", "")
    if sent not in keys_of(PairDecision):
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    try:
        decide_pair(context, person.id, pair_id, version_of(request.form), PairDecision(sent))
    except (ConflictError, InvalidInputError) as error:
        return _refused(pair_id, error)
    undo_url = url_for("duplicates.undo", pair_id=pair_id)
    return go_on(next_url(but=pair_id), f"{label(PairDecision, sent)}.", undo_url)


@blueprint.post("/<uuid:pair_id>/values")
@access("reviewer")
def values(pair_id: uuid.UUID) -> ResponseReturnValue:
    """Save whose the two entries are, where their pages look different, and show the pair again."""
    try:
        give_values(get_context(), get_person().id, pair_id, (_given("first"), _given("second")))
    except (ConflictError, InvalidInputError) as error:
        return _refused(pair_id, error)
    flash(_("The value was saved."), "success")
    return redirect(url_for("duplicates.pair", pair_id=pair_id))


@blueprint.post("/<uuid:pair_id>/undo")
@access("reviewer")
def undo(pair_id: uuid.UUID) -> ResponseReturnValue:
    try:
        undo_pair(get_context(), get_person().id, pair_id)
    except ConflictError as error:
        flash(_("Nothing was changed: %(problem)s.", problem=say(error.told).rstrip(".")), "problem")
    else:
        flash(_("Undone. Both entries are as they were before."), "success")
    return redirect(url_for("duplicates.pair", pair_id=pair_id))


def _given(which: str) -> Given:
    """Return what the form says of the `first` or `second` entry."""
    form = request.form
    version = form.get(f"version-{which}", type=whole_number)
    if version is None:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return Given(version, form.get(f"name-{which}", ""), f"essay-{which}" in form)


def _refused(pair_id: uuid.UUID, error: ConflictError | InvalidInputError) -> ResponseReturnValue:
    problem = _("Nothing was changed: %(problem)s.", problem=say(error.told).rstrip("."))
    return page_of(pair_detail(get_context(), get_person(), pair_id), problem), error.http_status
