"""What the pages for decisions share: keyboard shortcuts, holds, versions, notices."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from flask import flash, jsonify, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import LazyString
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from core.errors import ConflictError, InvalidInputError
from services.items.holds import Hold, Kind, hold_on_pending, release_hold, take_hold
from services.messages.entries import Refused
from services.supervision.revisions import next_revision
from web.access import Area, Rule, get_context, get_person, wants_json, whole_number
from web.i18n import say
from web.templating import time_of_day

# Holds on the items of a queue: taken on opening, prolonged by heartbeats, released on leaving.


def offer_holds(
    area: Area,
    kind: Kind,
    rule: Rule,
    path: str,
    page: Callable[..., str],
    following: Callable[[uuid.UUID], str | None],
) -> None:
    """Declare the routes below `path` to take, see and release the hold on an item, `<kind>_id` in the path.

    If the item is decided already, a form leads to the `following` item, or without one to the item's `page`.
    """
    key = f"{kind}_id"

    @area.post(f"{path}/claim", rule, endpoint=f"hold_{kind}")
    def hold(**given: uuid.UUID) -> ResponseReturnValue:
        """Hold an item; answer with JSON for a script, or a redirect to the item's page for a form."""
        item_page = page(**given)
        try:
            taken = take_hold(get_context(), get_person().id, kind, given[key])
        except ConflictError as error:
            if wants_json():
                raise
            return _elsewhere(say(error.told), item_page, following(given[key]))
        if wants_json():
            return _as_json(taken)
        if not taken.mine:
            flash(open_at(taken.holder_name, taken.until), "problem")
        return redirect(item_page)

    @area.get(f"{path}/claim", rule, endpoint=f"{kind}_holder")
    def holder(**given: uuid.UUID) -> ResponseReturnValue:
        return _as_json(hold_on_pending(get_context(), get_person().id, kind, given[key]))

    @area.post(f"{path.partition('/of/')[0]}/release", rule, endpoint=f"release_{kind}")
    def release(**given: uuid.UUID) -> ResponseReturnValue:
        release_hold(get_context(), get_person().id, kind, given[key])
        return "", 204


def _elsewhere(what: str, page: str, following: str | None) -> ResponseReturnValue:
    """Leave an item that another person has decided, with a notice."""
    if following:
        return go_on(following, _("Decided in the meantime: %(what)s. This is the next one.", what=what), None)
    return go_on(page, _("Decided in the meantime: %(what)s. This is how it stands now.", what=what), None)


def _as_json(standing: Hold | None) -> ResponseReturnValue:
    """Return a hold as JSON for a script: whether it is this person's, whether the item is free, a sentence."""
    if standing is None:
        return jsonify(mine=False, free=True, sentence=_("Nobody has this open now."))
    sentence = "" if standing.mine else open_at(standing.holder_name, standing.until)
    return jsonify(mine=standing.mine, free=False, sentence=sentence)


def open_at(who: str, until: datetime) -> str:
    """Return the sentence that says who has an item open."""
    return _("%(who)s has this open until %(time)s.", who=who, time=time_of_day(until))


# Keyboard shortcuts of the review pages: one table for the hints, the help and the script.


class Binding(NamedTuple):
    """The default key of an action; people can bind another."""

    action: str
    key: str
    label: LazyString


BINDINGS = (
    Binding("approve", "a", _l("Approve as marked and show the next")),
    Binding("take", "t", _l("Take the proposed value")),
    Binding("leave", "l", _l("Leave the field as it was read")),
    Binding("edit", "e", _l("Edit the field")),
    Binding("open", "o", _l("Leave the field undecided")),
    Binding("school", "s", _l("Choose the school from the list")),
    Binding("doubtful", "d", _l("Go to the next open field")),
    Binding("ask", "q", _l("Ask for missing information")),
    Binding("waive", "c", _l("Complete as it is, with a reason")),
    Binding("park", "p", _l("Park the entry with a note")),
    Binding("reject", "r", _l("Reject the entry and show the next")),
    Binding("next", "j", _l("Next")),
    Binding("previous", "k", _l("Previous")),
    Binding("undo", "u", _l("Undo the last decision")),
    Binding("help", "?", _l("Show these keys")),
)
#: Shortcuts for revisions of reports. The actions have the same names, so that a person's own keys apply here too.
REVISION_BINDINGS = (
    Binding("approve", "a", _l("Accept the revision and show the next")),
    Binding("reject", "r", _l("Reject the revision and show the next")),
    Binding("edit", "e", _l("Edit the text of the revision")),
    Binding("next", "j", _l("Next")),
    Binding("previous", "k", _l("Previous")),
    Binding("help", "?", _l("Show these keys")),
)


# Navigation between the pages of the queue of revisions.


def next_revision_url(after: uuid.UUID | None, backwards: bool = False) -> str | None:
    """Return the URL of the next revision that no other person holds (or the previous one), None without one."""
    found = next_revision(get_context(), after, get_person().id, backwards)
    return url_for("research.revision", revision_id=found) if found else None


# Read the version of an item from a form.


def version_of(form: MultiDict[str, str]) -> int:
    """Return the version of the item that the person saw."""
    version = form.get("version", type=whole_number)
    if version is None or version < 1:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return version


# Notices after a decision, with an undo button: on the next page, or in the answer to a script.


_KEY = "notice"


def go_on(to: str, sentence: str, undo: str | None) -> ResponseReturnValue:
    """Go to the next page with a notice. `undo` is the URL to undo the decision; None if it cannot be undone."""
    notice = {"sentence": sentence, "undo": undo}
    if wants_json():
        return jsonify(next=to, notice=render_template("review/_notice.html", notice=notice))
    session[_KEY] = notice
    return redirect(to)


def take_notice() -> dict[str, str | None] | None:
    """Remove the notice from the session and return it, None without one."""
    notice: dict[str, str | None] | None = session.pop(_KEY, None)
    return notice
