"""Pages of the season's schools: the list, one school, changes, and the school picker of the review pages."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import asdict

from flask import Blueprint, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import AppError, BusyError, InvalidInputError, NotFoundError
from services.messages.office import SchoolRefused
from services.school_lists import ImportedSchools, import_schools, school_text
from services.school_names import MAX_NAME, likely_schools, search_schools
from services.schools import (
    add_alias,
    add_school,
    change_email,
    merge_schools,
    remove_alias,
    school_detail,
    unlisted_schools,
)
from web.access import access, get_context, wants_json
from web.i18n import say
from web.labels import typed_lines
from web.security.sent_form import sent_file

blueprint = Blueprint("schools", __name__, url_prefix="/schools")

# Changes of the school list: add, import, merge, other spellings.


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
    """Import a CSV, and show the result of each row or why nothing was imported."""
    name, data = sent_file("file")
    try:
        if not name:
            raise InvalidInputError(SchoolRefused.NO_FILE)
        return index_page(imported=import_schools(get_context(), school_text(data)))
    except (BusyError, InvalidInputError) as error:
        return index_page(problem=say(error.told)), error.http_status


def _answered(change: Callable[[], tuple[str, str]]) -> ResponseReturnValue:
    """Make the change, which returns the school's name and a sentence; answer a form or a script.

    A refused form is shown again on the page that it came from, with what was typed.
    """
    try:
        name, sentence = change()
    except (BusyError, InvalidInputError, NotFoundError) as error:
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


# Likely schools for a written name, for the school picker of the review pages.


@blueprint.get("/likely")
@access("reader")
def likely() -> ResponseReturnValue:
    """Return the listed school that `text` names, if any, and the most similar ones."""
    return jsonify(asdict(likely_schools(get_context(), request.args.get("text", "")[:300])))


# The list of schools, and the page of one school with its other spellings.


#: Number of names from settled entries that are shown beside the list.
UNLISTED = 20
#: Rows of an imported file that are shown.
SHOWN_ROWS = 200


@blueprint.get("")
@access("reader")
def index() -> ResponseReturnValue:
    return index_page()


@blueprint.get("/<uuid:school_id>")
@access("reader")
def school(school_id: uuid.UUID) -> ResponseReturnValue:
    return school_page(school_id)


def index_page(problem: str = "", imported: ImportedSchools | None = None) -> str:
    """Return the list; `problem` says why a form was refused, `imported` is the result of an import."""
    context, text = get_context(), (request.args.get("q") or "").strip()[:200]
    page = search_schools(context, text, request.args.get("page"))
    first = not text and page.previous is None
    return render_template(
        "schools/index.html",
        page=page,
        text=text,
        filters={"q": text} if text else {},
        likely=likely_schools(context, text).schools if text and not page.rows else (),
        unlisted=unlisted_schools(context, UNLISTED) if first else [],
        problem=problem,
        imported=imported,
        shown_rows=SHOWN_ROWS,
        typed=typed_lines(MAX_NAME),
    )


def school_page(school_id: uuid.UUID, problem: str = "") -> str:
    """Return the page of a school; `problem` says why a form was refused. Raises NotFoundError."""
    detail = school_detail(get_context(), school_id)
    alike = likely_schools(get_context(), detail.name).schools
    return render_template(
        "schools/school.html",
        school=detail,
        alike=[one.name for one in alike if one.id not in (None, school_id)],
        problem=problem,
        typed=typed_lines(),
    )
