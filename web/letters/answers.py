"""Enter what came back on a letter, give up, and take that back."""

from __future__ import annotations

import uuid

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, InvalidInputError
from services.letters.answer_item import answer_item, await_again, find_item, give_up
from web.access import access
from web.context import get_context, get_person
from web.desk.notices import go_on
from web.desk.version import version_of
from web.i18n import say
from web.letters import blueprint
from web.letters.pages import letter_page
from web.security.own_path import own_path
from web.templating import full_day


@blueprint.post("/letters/items/<uuid:item_id>/answer")
@access("reviewer")
def answer(item_id: uuid.UUID) -> ResponseReturnValue:
    """Write the typed values into the entry; refused ones are shown again with the reason."""
    context, form = get_context(), request.form
    item = find_item(context, item_id)
    values = {name: form.get(f"value-{name}", "").replace("\r\n", "\n") for name in item.remaining}
    reason = gettext("Answer to the letter of %(date)s", date=full_day(item.asked_at))
    settle = form.get("then") == "settle"
    try:
        done = answer_item(context, get_person().id, item_id, version_of(form), values, reason, settle)
    except (InvalidInputError, ConflictError) as error:
        return letter_page(item.letter_id, say(error.told), item_id), error.http_status
    told = gettext("The answer was saved.")
    if settle:
        told = gettext("The answer was saved, and the entry is settled.")
    return go_on(_back(item.letter_id), told, url_for("review.undo", decision_id=done.decision_id))


@blueprint.post("/letters/items/<uuid:item_id>/give-up")
@access("reviewer")
def give_item_up(item_id: uuid.UUID) -> ResponseReturnValue:
    item = find_item(get_context(), item_id)
    give_up(get_context(), get_person().id, item_id)
    flash(gettext("You are no longer waiting for an answer. The entry stays incomplete."), "success")
    return redirect(_back(item.letter_id))


@blueprint.post("/letters/items/<uuid:item_id>/await")
@access("reviewer")
def await_item(item_id: uuid.UUID) -> ResponseReturnValue:
    item = find_item(get_context(), item_id)
    await_again(get_context(), item_id)
    flash(gettext("Waiting for an answer again."), "success")
    return redirect(_back(item.letter_id))


def _back(letter_id: uuid.UUID) -> str:
    """Return the page that the form stands on: the letter's, or an entry's."""
    return own_path(request.form.get("next"), url_for("letters.letter", letter_id=letter_id))
