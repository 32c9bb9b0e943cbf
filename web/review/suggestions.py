"""The queue of proposals and the page of one."""

from __future__ import annotations

import uuid

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.models import SecurityEventKind, SubmissionStatus, SuggestionStatus
from services.review.decide_suggestion import Decided, decide_suggestion
from services.review.list_suggestions import SuggestionFilter, list_suggestions
from services.review.suggestion_detail import suggestion_detail
from services.supervision.list_revisions import waiting
from web.access import access
from web.context import get_context, get_person
from web.desk.holds import open_at
from web.desk.notices import go_on
from web.desk.version import version_of
from web.labels import field_label
from web.reasons import reason_options
from web.review import blueprint
from web.review.answers import answers_of
from web.review.filters import filter_of, in_address, sent_along
from web.review.sequence import next_suggestion_url, previous_suggestion_url, queue_done
from web.security.viewed import viewed


@blueprint.get("/suggestions")
@access("report_reader")
def suggestions() -> ResponseReturnValue:
    """Show the queue of proposals; redirect roles that see no entries to the queue of revisions."""
    if not get_person().role.sees_all:
        return redirect(url_for("review.report_revisions"))
    narrowed = in_address(request.args)
    wanted = filter_of(SuggestionFilter, narrowed)
    return render_template(
        "review/suggestions.html",
        page=list_suggestions(get_context(), wanted, request.args.get("page")),
        waiting=waiting(get_context()),
        wanted=wanted,
        narrowed=narrowed,
        reasons=reason_options(),
    )


@blueprint.get("/suggestions/<uuid:suggestion_id>")
@access("reader")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def suggestion(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    item, person = suggestion_detail(get_context(), suggestion_id), get_person()
    narrowed, held = in_address(request.args), None
    if item.held_by and item.held_until and item.held_by_id != person.id:
        held = open_at(item.held_by, item.held_until)
    return render_template(
        "review/suggestion.html",
        item=item,
        may_decide=person.role.may_review and item.status == SuggestionStatus.PENDING,
        held=held,
        narrowed=narrowed,
        next_url=next_suggestion_url(suggestion_id, narrowed),
        previous_url=previous_suggestion_url(suggestion_id, narrowed),
    )


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
    narrowed = sent_along()
    return go_on(
        next_suggestion_url(suggestion_id, narrowed) or queue_done("review.suggestions", narrowed),
        _became(decided, item.student_name),
        url_for("review.undo", decision_id=decided.decision_id, **narrowed),
    )


def _became(decided: Decided, student: str | None) -> str:
    who = student or _("The entry")
    if decided.status == SubmissionStatus.RESOLVED:
        return _("%(who)s: settled.", who=who)
    missing = ", ".join(field_label(name) for name in decided.missing)
    if missing:
        return _("%(who)s: still needs a person (%(missing)s).", who=who, missing=missing)
    return _("%(who)s: still needs a person.", who=who)
