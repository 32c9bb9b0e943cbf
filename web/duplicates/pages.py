"""The list of pairs and the page of one."""

from __future__ import annotations

import uuid

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.models import SecurityEventKind
from services.event_log.record_view import Seen, record_view
from services.review.duplicates.list_pairs import list_pairs, next_pair
from services.review.duplicates.pair_detail import PairDetail, pair_detail
from web.access import access
from web.context import get_context, get_person
from web.duplicates import blueprint


@blueprint.get("")
@access("reader")
def index() -> ResponseReturnValue:
    page = list_pairs(get_context(), request.args.get("page"))
    return render_template("duplicates/index.html", page=page)


@blueprint.get("/next")
@access("reader")
def start() -> ResponseReturnValue:
    """Go to the pair that waits longest, or to the list where none does."""
    return redirect(next_url())


@blueprint.get("/<uuid:pair_id>")
@access("reader")
def pair(pair_id: uuid.UUID) -> ResponseReturnValue:
    return page_of(pair_detail(get_context(), get_person(), pair_id))


def page_of(item: PairDetail, problem: str | None = None) -> str:
    """Return the page of a pair, with why a decision was not taken; that both entries were seen is recorded."""
    for entry in (item.first, item.second):
        seen = Seen(submission_id=entry.id)
        record_view(get_context(), get_person().id, SecurityEventKind.SUBMISSION_VIEWED, seen)
    return render_template("duplicates/pair.html", item=item, problem=problem)


def next_url(but: uuid.UUID | None = None) -> str:
    """Return the address of the pair that waits longest, or of the list."""
    found = next_pair(get_context(), but)
    return url_for("duplicates.index") if found is None else url_for("duplicates.pair", pair_id=found)
