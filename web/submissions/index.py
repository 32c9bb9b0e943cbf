"""The list of entries; its filters live in the URL."""

from __future__ import annotations

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.labels import keys_of
from pipeline.profiles import known_forms
from services.entries.list_order import ListOrder
from services.entries.list_submissions import Found, count_found, list_similar, list_submissions
from services.entries.submission_filter import SubmissionFilter
from services.lists.list_columns import chosen_columns, essay_lengths, list_columns, values_of
from services.lists.saved_filters import MAX_NAME, default_filter, list_filters
from services.season_admin.list_seasons import season_names, waiting_elsewhere
from web.access import access
from web.context import get_context, get_person
from web.labels import column_label
from web.reasons import reason_options
from web.submission_filter import as_sent, wanted_submissions
from web.submissions import blueprint
from web.submissions.season import other_season


@blueprint.get("/submissions")
@access("signed_in")
def index() -> ResponseReturnValue:
    context, person = get_context(), get_person()
    opened = None if request.args else default_filter(context, person)
    if opened is not None and (sent := as_sent(opened)):
        return redirect(url_for("submissions.index", **sent))
    wanted, order = wanted_submissions(request.args), _order(request.args.get("sort"))
    seasons = season_names(context)
    other = other_season(seasons)
    season_id = other.id if other else None
    cursor = request.args.get("page")
    page = list_submissions(context, person, wanted, cursor, order=order, season_id=season_id)
    whole = not cursor and page.next is None
    found = Found(len(page.rows)) if whole else count_found(context, person, wanted, season_id)
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
        values=values_of(context, ids, columns),
        lengths=essay_lengths(context, ids, columns),
        all_columns=[(key, column_label(key)) for key in list_columns()],
        kept=[(one, as_sent(one.wanted)) for one in list_filters(context, person)],
        longest_name=MAX_NAME,
    )


def _order(sent: str | None) -> ListOrder:
    return ListOrder(sent) if sent in keys_of(ListOrder) else ListOrder.NEWEST
