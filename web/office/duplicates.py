"""Pages of entries that may be the same, side by side."""

from __future__ import annotations

import uuid
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from core.errors import ConflictError, InvalidInputError
from core.messages import keys_of
from core.models import PairDecision, SecurityEventKind
from services.event_log import ViewTarget, record_view
from services.messages.entries import Refused
from services.review.pair_decisions import decide_pair
from services.review.pairs import PairDetail, SideDecision, give_values, list_pairs, next_pair, pair_detail
from services.review.undo import undo_pair
from web.access import Area, get_context, get_person, whole_number
from web.decision_pages import Binding, go_on, take_notice, version_of
from web.i18n import say, shown_again
from web.labels import label

blueprint = Area("duplicates", __name__, url_prefix="/submissions/duplicates")


@blueprint.context_processor
def for_templates() -> dict[str, Any]:
    """Return what the templates of these pages use."""
    return {"bindings": BINDINGS, "take_notice": take_notice}


#: Shows the page of a pair again.
_again = shown_again(lambda pair_id, problem: _refused(pair_id, problem))

# Decide on a pair, and undo the decision.


@blueprint.post("/<uuid:pair_id>", "reviewer")
@_again
def decide(pair_id: uuid.UUID) -> ResponseReturnValue:
    """Decide, and show the next pair; if another person was faster, show their decision."""
    context, person, sent = get_context(), get_person(), request.form.get("decision", "")
    if sent not in keys_of(PairDecision):
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    version = version_of(request.form)
    decide_pair(context, person.id, pair_id, version, PairDecision(sent))
    # The decision has made the next version of it.
    undo_url = url_for("duplicates.undo", pair_id=pair_id, version=version + 1)
    return go_on(next_pair_url(but=pair_id), f"{label(PairDecision, sent)}.", undo_url)


@blueprint.post("/<uuid:pair_id>/values", "reviewer")
@_again
def values(pair_id: uuid.UUID) -> ResponseReturnValue:
    """Save the corrected names of the two entries and show the pair again."""
    give_values(get_context(), get_person().id, pair_id, (_given("first"), _given("second")))
    flash(_("The value was saved."), "success")
    return redirect(url_for("duplicates.pair", pair_id=pair_id))


@blueprint.post("/<uuid:pair_id>/undo", "reviewer")
def undo(pair_id: uuid.UUID) -> ResponseReturnValue:
    try:
        undo_pair(get_context(), get_person().id, pair_id, version_of(request.args))
    except ConflictError as error:
        flash(_("Nothing was changed: %(problem)s.", problem=say(error.told).rstrip(".")), "problem")
    else:
        flash(_("Undone. Both entries are as they were before."), "success")
    return redirect(url_for("duplicates.pair", pair_id=pair_id))


def _given(which: str) -> SideDecision:
    """Return what the form says of the `first` or `second` entry."""
    form = request.form
    version = form.get(f"version-{which}", type=whole_number)
    if version is None:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return SideDecision(version, form.get(f"name-{which}", ""), f"essay-{which}" in form)


def _refused(pair_id: uuid.UUID, problem: str) -> str:
    sentence = _("Nothing was changed: %(problem)s.", problem=problem.rstrip("."))
    return pair_page(pair_detail(get_context(), get_person(), pair_id), sentence)


# The list of pairs and the page of one.


@blueprint.get("", "reader")
def index() -> ResponseReturnValue:
    page = list_pairs(get_context(), request.args.get("page"))
    return render_template("duplicates/index.html", page=page)


@blueprint.get("/next", "reader")
def start() -> ResponseReturnValue:
    """Go to the oldest waiting pair, or to the list if none waits."""
    return redirect(next_pair_url())


@blueprint.get("/<uuid:pair_id>", "reader")
def pair(pair_id: uuid.UUID) -> ResponseReturnValue:
    return pair_page(pair_detail(get_context(), get_person(), pair_id))


def pair_page(item: PairDetail, problem: str | None = None) -> str:
    """Return the page of a pair, and record that both were viewed; `problem` says why a decision was refused."""
    for entry in (item.first, item.second):
        seen = ViewTarget(submission_id=entry.id)
        record_view(get_context(), get_person().id, SecurityEventKind.SUBMISSION_VIEWED, seen)
    return render_template("duplicates/pair.html", item=item, problem=problem)


def next_pair_url(but: uuid.UUID | None = None) -> str:
    found = next_pair(get_context(), but)
    return url_for("duplicates.index") if found is None else url_for("duplicates.pair", pair_id=found)


# Keyboard shortcuts of a pair of entries.


BINDINGS = (
    Binding("keep_first", "f", _l("Keep the first")),
    Binding("keep_second", "s", _l("Keep the second")),
    Binding("keep_both", "b", _l("Keep both")),
    Binding("replace", "r", _l("Replace the first with the second")),
    Binding("join", "j", _l("Join the two into one entry")),
    Binding("undo", "u", _l("Undo the last decision")),
    Binding("help", "?", _l("Show these keys")),
)
