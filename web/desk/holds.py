"""Answers to requests that take, prolong or release the hold on an item of a queue."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime

from flask import flash, jsonify, redirect
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import ConflictError
from services.review.hold import Hold, Kind, release_hold, take_hold
from web.context import get_context, get_person
from web.desk.notices import go_on
from web.i18n import say
from web.negotiation import wants_json
from web.templating import time_of_day


def take(kind: Kind, item_id: uuid.UUID, page: str, following: Callable[[], str | None]) -> ResponseReturnValue:
    """Hold an item; answer with JSON for a script, or a redirect to the item's page for a form.

    Where the item is decided already, a form leads to what follows it, or to its page where nothing does.
    """
    try:
        taken = take_hold(get_context(), get_person().id, kind, item_id)
    except ConflictError as error:
        if wants_json():
            raise
        return _elsewhere(say(error.told), page, following())
    if wants_json():
        return told_hold(taken)
    if not taken.mine:
        flash(open_at(taken.holder_name, taken.until), "problem")
    return redirect(page)


def _elsewhere(what: str, page: str, following: str | None) -> ResponseReturnValue:
    """Go on from an item that another person has decided, with a sentence."""
    if following:
        return go_on(following, _("Decided in the meantime: %(what)s. This is the next one.", what=what), None)
    return go_on(page, _("Decided in the meantime: %(what)s. This is how it stands now.", what=what), None)


def told_hold(standing: Hold | None) -> ResponseReturnValue:
    """Return a hold as JSON for a script: whether it is the person's own, whether the item is free, a sentence."""
    if standing is None:
        return jsonify(mine=False, free=True, sentence=_("Nobody has this open now."))
    sentence = "" if standing.mine else open_at(standing.holder_name, standing.until)
    return jsonify(mine=standing.mine, free=False, sentence=sentence)


def released(kind: Kind, item_id: uuid.UUID) -> ResponseReturnValue:
    """Release the hold on an item."""
    release_hold(get_context(), get_person().id, kind, item_id)
    return "", 204


def open_at(who: str, until: datetime) -> str:
    """Return the sentence that says who has an item open."""
    return _("%(who)s has this open until %(time)s.", who=who, time=time_of_day(until))
