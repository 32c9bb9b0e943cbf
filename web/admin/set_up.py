"""Pages of the first steps of a new installation."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError
from core.mail import mail_is_configured
from core.models import SetUpKey, SetUpState
from services.messages.office import SchoolRefused
from services.school_lists import import_schools, school_text
from services.schools import add_school
from services.season_admin.seasons import SeasonWords
from services.season_admin.set_up import (
    ask_for_reading,
    choose_rules_alone,
    finish_set_up,
    pass_step,
    send_trial,
    set_up_view,
    settle_season,
    stop_waiting,
    take_up_set_up,
    try_step,
)
from web.access import app_settings, get_context, get_person, whole_number
from web.admin import blueprint
from web.i18n import chosen_language, shown_again
from web.labels import typed_lines
from web.security.sent_form import sent_file
from web.security.sign_in_guard import recently_confirmed
from web.templating import changing_part


@blueprint.get("/set-up", "admin")
def set_up(problem: str = "", at: str = "", **values: Any) -> str:
    """Return the page; `problem`, shown at the step `at`, says why a change was refused."""
    return render_template(
        "admin/set_up/page.html",
        set_up=set_up_view(get_context()),
        mail_configured=mail_is_configured(app_settings()),
        problem=problem,
        problem_at=at,
        typed=typed_lines(),
        **values,
    )


@blueprint.post("/set-up/season", "admin")
@recently_confirmed
@shown_again(lambda problem: set_up(problem, SetUpKey.SEASON.value))
def set_up_season() -> ResponseReturnValue:
    form = request.form
    words = SeasonWords(form.get("name", ""), _day("starts_on"), _day("ends_on"))
    season_id = set_up_view(get_context()).season.id
    version = form.get("version", type=whole_number)
    settle_season(get_context(), get_person().id, season_id, words, _day("deadline"), version)
    flash(gettext("The season was saved."), "success")
    return _at(SetUpKey.SEASON)


@blueprint.post("/set-up/schools", "admin")
@shown_again(lambda problem: set_up(problem, SetUpKey.SCHOOLS.value))
def set_up_schools() -> ResponseReturnValue:
    """Import a list, or add one school."""
    if "name" in request.form:
        name = add_school(get_context(), request.form["name"], actor_id=get_person().id)
        flash(gettext("“%(name)s” is now on the list.", name=name), "success")
        return _at(SetUpKey.SCHOOLS)
    name, data = sent_file("file")
    if not name:
        raise InvalidInputError(SchoolRefused.NO_FILE)
    done = import_schools(get_context(), school_text(data), get_person().id)
    sentence = gettext(
        "Schools added: %(added)d. Already on the list: %(known)d.", added=done.added, known=done.known
    )
    flash(sentence, "success")
    return _at(SetUpKey.SCHOOLS)


@blueprint.post("/set-up/try/<step>", "admin")
def set_up_try(step: str) -> ResponseReturnValue:
    """Try a step; its result is shown beside it."""
    context, actor_id, key = get_context(), get_person().id, _key(step)
    if key is SetUpKey.READING:
        ask_for_reading(context, actor_id)
    elif key is SetUpKey.MAIL:
        send_trial(context, actor_id, chosen_language())
    else:
        try_step(context, actor_id, key)
    return _at(key)


@blueprint.post("/set-up/reading/stop", "admin")
def set_up_stop() -> ResponseReturnValue:
    stop_waiting(get_context(), get_person().id)
    return _at(SetUpKey.READING)


@blueprint.post("/set-up/rules-alone", "admin")
def set_up_rules_alone() -> ResponseReturnValue:
    choose_rules_alone(get_context(), get_person().id)
    return _at(SetUpKey.MODEL)


@blueprint.post("/set-up/leave-out/<step>", "admin")
def set_up_leave_out(step: str) -> ResponseReturnValue:
    pass_step(get_context(), get_person().id, _key(step))
    return _at(_key(step))


@blueprint.post("/set-up/finish", "admin")
def set_up_finish() -> ResponseReturnValue:
    if finish_set_up(get_context(), get_person().id) is SetUpState.DONE:
        flash(gettext("Everything is set up."), "success")
    else:
        flash(gettext("You can continue at any time under “Setup”."), "success")
    return redirect(url_for("home.home"))


@blueprint.post("/set-up/take-up", "admin")
def set_up_take_up() -> ResponseReturnValue:
    take_up_set_up(get_context(), get_person().id)
    return redirect(url_for("admin.set_up"))


def _key(step: str) -> SetUpKey:
    """Return the step with this key in the URL. Aborts with 404 for an unknown one."""
    try:
        key = SetUpKey(step)
    except ValueError:
        abort(404)
    return abort(404) if key is SetUpKey.WHOLE else key


def _day(name: str) -> date | None:
    """Return a day of the form, None for an empty field. Aborts with 400 for an invalid one."""
    given = request.form.get(name, "").strip()
    try:
        return date.fromisoformat(given) if given else None
    except ValueError:
        abort(400)


def _at(key: SetUpKey) -> ResponseReturnValue:
    return redirect(url_for("admin.set_up", _anchor=key.value))


# The part of the page that shows what a worker reads.


@blueprint.get("/set-up/reading", "admin")
def set_up_part() -> ResponseReturnValue:
    """Return the part that shows what a worker reads; 304 while nothing has changed."""
    found = set_up_view(get_context())
    step = found.steps[SetUpKey.READING]
    state = (step.state, step.changed_at, len(found.queue))
    return changing_part(state, "admin/set_up/_reading.html", set_up=found, problem="", problem_at="")
