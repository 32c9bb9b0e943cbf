"""Entries by school and grade, counted."""

from __future__ import annotations

from flask import render_template, request
from flask.typing import ResponseReturnValue

from services.entries.count_by_school import count_by_school
from services.season_admin.list_seasons import season_names
from web.access import access
from web.context import get_context, get_person
from web.submissions import blueprint
from web.submissions.season import other_season


@blueprint.get("/submissions/by-school")
@access("signed_in")
def by_school() -> ResponseReturnValue:
    context, after = get_context(), request.args.get("after")
    other = other_season(season_names(context))
    found = count_by_school(
        context, get_person(), after if after and "\0" not in after else None, other.id if other else None
    )
    return render_template("submissions/by_school.html", found=found, is_first=not after, other_season=other)
