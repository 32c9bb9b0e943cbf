"""The queue of proposals and the page of one."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.models import SubmissionStatus, SuggestionStatus
from services.decide_suggestion import Decided, decide_suggestion
from services.queries.list_suggestions import SuggestionFilter, list_suggestions
from services.queries.suggestion_detail import next_pending, suggestion_detail
from web.access import access
from web.context import get_context, get_person
from web.labels import FIELDS, label
from web.reasons import reason_options
from web.review import blueprint
from web.review.answers import answers_of, version_of


@blueprint.get("/suggestions")
@access("reader")
def suggestions() -> ResponseReturnValue:
    args = request.args
    wanted = SuggestionFilter(
        reason=args.get("reason") or None,
        grade=args.get("grade") or None,
        school=(args.get("school") or "").strip() or None,
    )
    return render_template(
        "review/suggestions.html",
        page=list_suggestions(get_context(), wanted, args.get("page")),
        wanted=wanted,
        narrowed=wanted != SuggestionFilter(),
        filters={key: value for key, value in args.items() if key != "page" and value},
        reasons=reason_options(),
    )


@blueprint.get("/suggestions/<uuid:suggestion_id>")
@access("reader")
def suggestion(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    item = suggestion_detail(get_context(), suggestion_id)
    may_decide = get_person().role.may_review and item.status == SuggestionStatus.PENDING
    return render_template("review/suggestion.html", item=item, may_decide=may_decide)


@blueprint.post("/suggestions/<uuid:suggestion_id>")
@access("reviewer")
def decide(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    context, form = get_context(), request.form
    item = suggestion_detail(context, suggestion_id)
    decided = decide_suggestion(
        context,
        get_person().id,
        suggestion_id,
        version_of(form),
        answers_of(form, item.fields),
        form.get("reason", "").strip() or None,
    )
    flash(_became(decided, item.student_name), "success")
    return redirect(_next(suggestion_id))


def _next(suggestion_id: uuid.UUID) -> str:
    found = next_pending(get_context(), suggestion_id)
    if found is None:
        return url_for("review.suggestions")
    return url_for("review.suggestion", suggestion_id=found)


def _became(decided: Decided, student: str | None) -> str:
    who = student or "The entry"
    if decided.status == SubmissionStatus.RESOLVED:
        return f"{who}: settled."
    missing = ", ".join(label(FIELDS, name) for name in decided.missing)
    return f"{who}: still needs a person" + (f" ({missing})." if missing else ".")
