"""The list of entries, and their counts by school."""

from __future__ import annotations

from collections.abc import Sequence

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.errors import NotFoundError
from pipeline.profiles import known_forms
from services.entries.listing import (
    FilterCount,
    ListOrder,
    SubmissionFilter,
    count_by_school,
    count_found,
    list_similar,
    list_submissions,
)
from services.saved_lists import (
    MAX_NAME,
    chosen_columns,
    column_values,
    default_filter,
    essay_lengths,
    list_columns,
    list_filters,
)
from services.season_admin.seasons import SeasonName, season_names, waiting_elsewhere
from web.access import get_context, get_person
from web.labels import column_label, reason_options
from web.submission_filter import as_sent, wanted_submissions
from web.submissions import blueprint


@blueprint.get("/submissions", "signed_in")
def index() -> ResponseReturnValue:
    context, person = get_context(), get_person()
    opened = None if request.args else default_filter(context, person)
    if opened is not None and (sent := as_sent(opened)):
        return redirect(url_for("submissions.index", **sent))
    wanted = wanted_submissions(request.args)
    order = request.args.get("sort", ListOrder.NEWEST, type=ListOrder)
    seasons = season_names(context)
    other = other_season(seasons)
    season_id = other.id if other else next((one.id for one in seasons if one.is_current), None)
    cursor = request.args.get("page")
    page = list_submissions(context, person, wanted, cursor, order=order, season_id=season_id)
    whole = not cursor and page.next is None
    found = FilterCount(len(page.rows)) if whole else count_found(context, person, wanted, season_id)
    similar = list_similar(context, person, wanted, page, order, season_id)
    columns = chosen_columns(context, person)
    ids = [row.id for row in (*page.rows, *similar.rows)]
    return render_template(
        "submissions/index.html",
        page=page,
        found=found,
        seasons=seasons,
        other_season=other,
        elsewhere=waiting_elsewhere(context, person),
        similar=similar,
        wanted=wanted,
        narrowed=wanted != SubmissionFilter(),
        sent=as_sent(wanted),
        filters={key: value for key, value in request.args.items() if key != "page" and value},
        reasons=reason_options(),
        forms=[(key, profile.label) for key, profile in known_forms().items()],
        order=order,
        columns=columns,
        values=column_values(context, ids, columns),
        lengths=essay_lengths(context, ids, columns),
        all_columns=[(key, column_label(key)) for key in list_columns()],
        kept=[(one, as_sent(one.wanted)) for one in list_filters(context, person)],
        longest_name=MAX_NAME,
    )


# Counts of entries by school and grade.


@blueprint.get("/submissions/by-school", "signed_in")
def by_school() -> ResponseReturnValue:
    context, after = get_context(), request.args.get("after")
    other = other_season(season_names(context))
    found = count_by_school(
        context, get_person(), after if after and "\0" not in after else None, other.id if other else None
    )
    return render_template("submissions/by_school.html", found=found, is_first=not after, other_season=other)


# The season of a list: the current one, or a read-only one named in the URL.


def other_season(seasons: Sequence[SeasonName]) -> SeasonName | None:
    """Return the season in the URL, None for the current one. Raises NotFoundError for an unknown one."""
    sent = request.args.get("season")
    if not sent:
        return None
    named = next((one for one in seasons if str(one.id) == sent), None)
    if named is None:
        raise NotFoundError("no such season")
    return None if named.is_current else named
