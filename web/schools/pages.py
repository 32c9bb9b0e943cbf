"""The list of schools, and the page of one school with its other spellings."""

from __future__ import annotations

import uuid

from flask import render_template, request
from flask.typing import ResponseReturnValue

from services.schools.import_schools import ImportedSchools
from services.schools.likely_schools import likely_schools
from services.schools.school_detail import school_detail
from services.schools.school_names import MAX_NAME
from services.schools.search_schools import search_schools
from services.schools.unlisted_schools import unlisted_schools
from web.access import access
from web.context import get_context
from web.schools import blueprint
from web.told import typed_lines

#: Number of names from settled entries that are shown beside the list.
UNLISTED = 20


@blueprint.get("")
@access("reader")
def index() -> ResponseReturnValue:
    return index_page()


@blueprint.get("/<uuid:school_id>")
@access("reader")
def school(school_id: uuid.UUID) -> ResponseReturnValue:
    return school_page(school_id)


def index_page(problem: str = "", imported: ImportedSchools | None = None) -> str:
    """Return the list, with why a form was refused or what an import has done."""
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
        typed=typed_lines(MAX_NAME),
    )


def school_page(school_id: uuid.UUID, problem: str = "") -> str:
    """Return the page of a school, with why a form was refused. Raises NotFoundError."""
    detail = school_detail(get_context(), school_id)
    alike = likely_schools(get_context(), detail.name).schools
    return render_template(
        "schools/school.html",
        school=detail,
        alike=[one.name for one in alike if one.id not in (None, school_id)],
        problem=problem,
        typed=typed_lines(),
    )
