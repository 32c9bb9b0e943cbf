"""What is done on the page of the set-up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, InvalidInputError
from core.models import SetUpKey, SetUpState
from services.messages.school import SchoolRefused
from services.schools.add_school import add_school
from services.schools.import_schools import import_schools
from services.schools.school_file import MOST_BYTES, school_text
from services.season_admin.describe_season import SeasonWords
from services.set_up.finish import finish_set_up, take_up_set_up
from services.set_up.note_step import pass_step
from services.set_up.read_sample import ask_for_reading, stop_reading
from services.set_up.send_trial import send_trial
from services.set_up.settle_season import settle_season
from services.set_up.steps import set_up_view
from services.set_up.try_step import choose_rules_alone, try_step
from web.access import access
from web.admin import blueprint
from web.admin.set_up.pages import set_up_page
from web.context import get_context, get_person
from web.i18n import chosen_language, say
from web.security.confirmed import confirmed
from web.security.sent_form import sent_file
from web.whole_number import whole_number


@blueprint.post("/set-up/season")
@access("admin")
@confirmed
def set_up_season() -> ResponseReturnValue:
    def change() -> str:
        form = request.form
        words = SeasonWords(form.get("name", ""), _day("starts_on"), _day("ends_on"))
        season_id = set_up_view(get_context()).season.id
        version = form.get("version", type=whole_number)
        settle_season(get_context(), get_person().id, season_id, words, _day("deadline"), version)
        return gettext("The season was saved.")

    return _answered(SetUpKey.SEASON, change)


@blueprint.post("/set-up/schools")
@access("admin")
def set_up_schools() -> ResponseReturnValue:
    """Import a list, or add one school."""

    def change() -> str:
        if "name" in request.form:
            name = add_school(get_context(), request.form["name"])
            return gettext("“%(name)s” is now on the list.", name=name)
        name, data = sent_file("file", MOST_BYTES)
        if not name:
            raise InvalidInputError(SchoolRefused.NO_FILE)
        done = import_schools(get_context(), school_text(data))
        return gettext(
            "Schools added: %(added)d. Already on the list: %(known)d.", added=done.added, known=done.known
        )

    return _answered(SetUpKey.SCHOOLS, change)


@blueprint.post("/set-up/try/<step>")
@access("admin")
def set_up_try(step: str) -> ResponseReturnValue:
    """Try a step; what was found stands at it."""
    context, actor_id, key = get_context(), get_person().id, _key(step)
    if key is SetUpKey.READING:
        ask_for_reading(context, actor_id)
    elif key is SetUpKey.MAIL:
        send_trial(context, actor_id, chosen_language())
    else:
        try_step(context, actor_id, key)
    return _at(key)


@blueprint.post("/set-up/reading/stop")
@access("admin")
def set_up_stop() -> ResponseReturnValue:
    stop_reading(get_context(), get_person().id)
    return _at(SetUpKey.READING)


@blueprint.post("/set-up/rules-alone")
@access("admin")
def set_up_rules_alone() -> ResponseReturnValue:
    choose_rules_alone(get_context(), get_person().id)
    return _at(SetUpKey.MODEL)


@blueprint.post("/set-up/leave-out/<step>")
@access("admin")
def set_up_leave_out(step: str) -> ResponseReturnValue:
    pass_step(get_context(), get_person().id, _key(step))
    return _at(_key(step))


@blueprint.post("/set-up/finish")
@access("admin")
def set_up_finish() -> ResponseReturnValue:
    if finish_set_up(get_context(), get_person().id) is SetUpState.DONE:
        flash(gettext("Everything is set up."), "success")
    else:
        flash(gettext("You can continue at any time under “Setup”."), "success")
    return redirect(url_for("home.home"))


@blueprint.post("/set-up/take-up")
@access("admin")
def set_up_take_up() -> ResponseReturnValue:
    take_up_set_up(get_context(), get_person().id)
    return redirect(url_for("admin.set_up"))


def _key(step: str) -> SetUpKey:
    """Return the step of an address; aborts with 404 for any other."""
    try:
        key = SetUpKey(step)
    except ValueError:
        abort(404)
    return abort(404) if key is SetUpKey.WHOLE else key


def _day(name: str) -> date | None:
    """Return a day of the form, None for an empty field; aborts with 400 for what is none."""
    given = request.form.get(name, "").strip()
    try:
        return date.fromisoformat(given) if given else None
    except ValueError:
        abort(400)


def _at(key: SetUpKey) -> ResponseReturnValue:
    return redirect(url_for("admin.set_up", _anchor=key.value))


def _answered(key: SetUpKey, change: Callable[[], str]) -> ResponseReturnValue:
    """Make the change and say so, or why it was refused, at its step."""
    try:
        flash(change(), "success")
    except (InvalidInputError, ConflictError) as error:
        return set_up_page(say(error.told), key.value), error.http_status
    return _at(key)
