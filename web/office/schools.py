"""Pages of the season's schools: the list, one school, changes, and the school picker of the review pages."""

from __future__ import annotations

import uuid
from dataclasses import asdict

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import BusyError, InvalidInputError, NotFoundError
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
from web.access import Area, get_context, get_person, wants_json
from web.i18n import shown_again
from web.labels import typed_lines
from web.security.sent_form import sent_file

blueprint = Area("schools", __name__, url_prefix="/schools")

#: Number of names from settled entries that are shown beside the list.
UNLISTED = 20
#: Rows of an imported file that are shown.
SHOWN_ROWS = 200


@blueprint.get("", "reader")
def index(problem: str = "", imported: ImportedSchools | None = None) -> str:
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


@blueprint.get("/<uuid:school_id>", "reader")
def school(school_id: uuid.UUID, problem: str = "") -> str:
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


#: Shows the page that a form came from again, with what was typed.
_again = shown_again(lambda problem: _refused(problem), BusyError, InvalidInputError, NotFoundError)

# Changes of the school list: add, import, merge, other spellings.


@blueprint.post("", "reviewer")
@_again
def add() -> ResponseReturnValue:
    form = request.form
    city, district = (form.get(name, "").strip() or None for name in ("city", "district"))
    name = add_school(get_context(), form.get("name", ""), city, district, get_person().id)
    return _done(name, _("“%(name)s” is now on the list.", name=name))


@blueprint.post("/aliases", "reviewer")
@_again
def alias() -> ResponseReturnValue:
    text = request.form.get("alias", "").strip()
    name = add_alias(get_context(), request.form.get("school", ""), text, get_person().id)
    return _done(name, _("“%(alias)s” is now another spelling of “%(name)s”.", alias=text, name=name))


@blueprint.post("/aliases/remove", "admin")
@_again
def unalias() -> ResponseReturnValue:
    text = request.form.get("alias", "")
    name = remove_alias(get_context(), request.form.get("school", ""), text, get_person().id)
    return _done(name, _("“%(alias)s” is no longer a spelling of “%(name)s”.", alias=text, name=name))


@blueprint.post("/email", "reviewer")
@_again
def email() -> ResponseReturnValue:
    form = request.form
    name = change_email(get_context(), form.get("school", ""), form.get("email", ""), get_person().id)
    return _done(name, _("The e-mail address of “%(name)s” was saved.", name=name))


@blueprint.post("/merge", "admin")
@_again
def merge() -> ResponseReturnValue:
    form = request.form
    done = merge_schools(get_context(), form.get("duplicate", ""), form.get("into", ""), get_person().id)
    return _done(
        done.into, _("“%(merged)s” is now another spelling of “%(name)s”.", merged=done.merged, name=done.into)
    )


@blueprint.post("/import", "admin")
@shown_again(index, BusyError, InvalidInputError)
def import_file() -> ResponseReturnValue:
    """Import a CSV, and show the result of each row or why nothing was imported."""
    name, data = sent_file("file")
    if not name:
        raise InvalidInputError(SchoolRefused.NO_FILE)
    return index(imported=import_schools(get_context(), school_text(data), get_person().id))


def _done(name: str, sentence: str) -> ResponseReturnValue:
    """Answer a form or a script after a change of the school of this name."""
    if wants_json():
        return jsonify(name=name, sentence=sentence)
    flash(sentence, "success")
    return redirect(url_for("schools.index", q=name))


def _refused(problem: str) -> str:
    try:
        return school(uuid.UUID(request.form.get("of", "")), problem)
    except (ValueError, NotFoundError):
        return index(problem)


# Likely schools for a written name, for the school picker of the review pages.


@blueprint.get("/likely", "reader")
def likely() -> ResponseReturnValue:
    """Return the listed school that `text` names, if any, and the most similar ones."""
    return jsonify(asdict(likely_schools(get_context(), request.args.get("text", "")[:300])))
