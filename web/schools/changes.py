"""Changes of the school list: add, import, merge, other spellings."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from flask import flash, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import AppError, InvalidInputError, NotFoundError
from services.messages.school import SchoolRefused
from services.schools.add_alias import add_alias
from services.schools.add_school import add_school
from services.schools.change_email import change_email
from services.schools.import_schools import import_schools
from services.schools.merge_schools import merge_schools
from services.schools.remove_alias import remove_alias
from services.schools.school_file import MOST_BYTES, school_text
from web.access import access
from web.context import get_context
from web.i18n import say
from web.negotiation import wants_json
from web.schools import blueprint
from web.schools.pages import index_page, school_page
from web.security.sent_form import sent_file


@blueprint.post("")
@access("reviewer")
def add() -> ResponseReturnValue:
    def change() -> tuple[str, str]:
        form = request.form
        city, district = (form.get(name, "").strip() or None for name in ("city", "district"))
        name = add_school(get_context(), form.get("name", ""), city, district)
        return name, _("“%(name)s” is now on the list.", name=name)

    return _answered(change)


@blueprint.post("/aliases")
@access("reviewer")
def alias() -> ResponseReturnValue:
    def change() -> tuple[str, str]:
        text = request.form.get("alias", "").strip()
        name = add_alias(get_context(), request.form.get("school", ""), text)
        return name, _("“%(alias)s” is now another spelling of “%(name)s”.", alias=text, name=name)

    return _answered(change)


@blueprint.post("/aliases/remove")
@access("admin")
def unalias() -> ResponseReturnValue:
    def change() -> tuple[str, str]:
        text = request.form.get("alias", "")
        name = remove_alias(get_context(), request.form.get("school", ""), text)
        return name, _("“%(alias)s” is no longer a spelling of “%(name)s”.", alias=text, name=name)

    return _answered(change)


@blueprint.post("/email")
@access("reviewer")
def email() -> ResponseReturnValue:
    def change() -> tuple[str, str]:
        name = change_email(get_context(), request.form.get("school", ""), request.form.get("email", ""))
        return name, _("The e-mail address of “%(name)s” was saved.", name=name)

    return _answered(change)


@blueprint.post("/merge")
@access("admin")
def merge() -> ResponseReturnValue:
    def change() -> tuple[str, str]:
        done = merge_schools(get_context(), request.form.get("duplicate", ""), request.form.get("into", ""))
        return done.into, _(
            "“%(merged)s” is now another spelling of “%(name)s”.", merged=done.merged, name=done.into
        )

    return _answered(change)


@blueprint.post("/import")
@access("admin")
def import_file() -> ResponseReturnValue:
    """Import a CSV, and show what became of each of its rows or why nothing was imported."""
    name, data = sent_file("file", MOST_BYTES)
    try:
        if not name:
            raise InvalidInputError(SchoolRefused.NO_FILE)
        return index_page(imported=import_schools(get_context(), school_text(data)))
    except InvalidInputError as error:
        return index_page(problem=say(error.told)), error.http_status


def _answered(change: Callable[[], tuple[str, str]]) -> ResponseReturnValue:
    """Make the change, which returns the school's name and a sentence, and answer a form or a script.

    A refused form is shown again on the page that it came from, with what was typed.
    """
    try:
        name, sentence = change()
    except (InvalidInputError, NotFoundError) as error:
        if wants_json():
            raise
        return _refused(error), error.http_status
    if wants_json():
        return jsonify(name=name, sentence=sentence)
    flash(sentence, "success")
    return redirect(url_for("schools.index", q=name))


def _refused(error: AppError) -> str:
    try:
        return school_page(uuid.UUID(request.form.get("of", "")), say(error.told))
    except (ValueError, NotFoundError):
        return index_page(say(error.told))
