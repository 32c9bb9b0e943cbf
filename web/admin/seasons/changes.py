"""Change a season: its rules, open, close, roll over, and take a change of rules back."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, InvalidInputError
from services.policy.change_policy import change_policy, undo_change
from services.season_admin.open_and_close import close_season, open_season
from services.season_admin.roll_over import roll_over
from web.access import access
from web.admin import blueprint
from web.admin.seasons.pages import season_page
from web.admin.seasons.rules_form import changes_of
from web.context import get_context, get_person
from web.i18n import say
from web.security.confirmed import confirmed
from web.whole_number import whole_number


@blueprint.post("/seasons/<uuid:season_id>/rules")
@access("admin")
@confirmed
def change_rules(season_id: uuid.UUID) -> ResponseReturnValue:
    def change() -> str:
        change_policy(get_context(), get_person().id, season_id, changes_of(request.form), _version())
        return gettext("The rules were changed. They apply to every entry read from now on.")

    return _answered(season_id, change)


@blueprint.post("/seasons/<uuid:season_id>/changes/<uuid:change_id>/undo")
@access("admin")
@confirmed
def undo_rules(season_id: uuid.UUID, change_id: uuid.UUID) -> ResponseReturnValue:
    def change() -> str:
        undo_change(get_context(), get_person().id, change_id)
        return gettext("The change was undone.")

    return _answered(season_id, change)


@blueprint.post("/seasons/<uuid:season_id>/open")
@access("admin")
@confirmed
def open_one(season_id: uuid.UUID) -> ResponseReturnValue:
    def change() -> str:
        open_season(get_context(), get_person().id, season_id, _version())
        return gettext("The season is open. The site shows its entries.")

    return _answered(season_id, change)


@blueprint.post("/seasons/<uuid:season_id>/close")
@access("admin")
@confirmed
def close_one(season_id: uuid.UUID) -> ResponseReturnValue:
    def change() -> str:
        close_season(get_context(), get_person().id, season_id, _version())
        return gettext("The season is closed. Nothing more can be uploaded.")

    return _answered(season_id, change)


@blueprint.post("/seasons/<uuid:season_id>/roll-over")
@access("admin")
@confirmed
def begin_next(season_id: uuid.UUID) -> ResponseReturnValue:
    try:
        name = request.form.get("name", "")
        following = roll_over(get_context(), get_person().id, season_id, name, _version())
    except (InvalidInputError, ConflictError) as error:
        return season_page(season_id, say(error.told)), error.http_status
    flash(gettext("The new season is open, with the schools and rules of the previous one."), "success")
    return redirect(url_for("admin.season", season_id=following))


def _version() -> int | None:
    """Return the season's version that the person saw."""
    return request.form.get("version", type=whole_number)


def _answered(season_id: uuid.UUID, change: Callable[[], str]) -> ResponseReturnValue:
    """Make the change, and say so on the season's page, or why it was refused."""
    try:
        flash(change(), "success")
    except (InvalidInputError, ConflictError) as error:
        return season_page(season_id, say(error.told)), error.http_status
    return redirect(url_for("admin.season", season_id=season_id))
