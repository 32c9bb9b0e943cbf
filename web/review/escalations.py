"""The queue of escalations, and the page on which one is settled, rejected or read again."""

from __future__ import annotations

import uuid

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import InvalidInputError
from core.models import SecurityEventKind
from services.entries.submission_detail import SubmissionDetail, submission_detail
from services.review.list_escalations import EscalationFilter, list_escalations
from services.review.resolve_escalation import Action, resolve_escalation
from services.review.standing_hold import standing_hold
from services.review.undo_decision import last_decision
from web.access import access
from web.context import get_context, get_person
from web.desk.holds import open_at
from web.desk.notices import go_on
from web.desk.version import version_of
from web.i18n import say
from web.negotiation import wants_json
from web.reasons import reason_options
from web.review import blueprint
from web.review.answers import changed_values
from web.review.filters import filter_of, in_address, sent_along
from web.review.sequence import next_escalation_url, previous_escalation_url, queue_done
from web.security.viewed import viewed

_ACTIONS: dict[str, Action] = {
    "settle": "settle",
    "reject": "reject",
    "read_again": "read_again",
    "ask_model": "ask_model",
}
#: Actions that only change the database; reading again starts at once and cannot be undone.
_UNDOABLE = ("settle", "reject")


@blueprint.get("/escalations")
@access("reader")
def escalations() -> ResponseReturnValue:
    narrowed = in_address(request.args)
    wanted = filter_of(EscalationFilter, narrowed)
    return render_template(
        "review/escalations.html",
        page=list_escalations(get_context(), request.args.get("page"), wanted=wanted),
        wanted=wanted,
        narrowed=narrowed,
        reasons=reason_options(),
    )


@blueprint.get("/escalations/<uuid:escalation_id>/of/<uuid:submission_id>")
@access("reviewer")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def escalation(escalation_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    """Show a pending escalation; redirect to the entry if it is not pending."""
    entry = submission_detail(get_context(), get_person(), submission_id)
    if entry.escalation is None or entry.escalation.id != escalation_id:
        return redirect(url_for("submissions.detail", submission_id=submission_id))
    return _page(entry, escalation_id, in_address(request.args))


@blueprint.post("/escalations/<uuid:escalation_id>/of/<uuid:submission_id>")
@access("reviewer")
def resolve(escalation_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    """Carry out the decision; a form with an invalid value is shown again as it was typed."""
    context, form, narrowed = get_context(), request.form, sent_along()
    entry = submission_detail(context, get_person(), submission_id)
    action = _ACTIONS.get(form.get("decide", ""), "settle")
    try:
        resolve_escalation(
            context,
            get_person().id,
            escalation_id,
            version_of(form),
            action,
            changed_values(form, entry.fields) if action == "settle" else {},
            form.get("reason", "").strip() or None,
            {name: form[name] for name in ("ocr_provider", "profile") if form.get(name)},
        )
    except InvalidInputError as error:
        if wants_json() or entry.escalation is None:
            raise
        return _page(entry, escalation_id, narrowed, say(error.told)), error.http_status
    last = last_decision(context, get_person().id, submission_id) if action in _UNDOABLE else None
    return go_on(
        next_escalation_url(escalation_id, narrowed) or queue_done("review.escalations", narrowed),
        _became(action, entry.student_name or _("The entry")),
        url_for("review.undo", decision_id=last, **narrowed) if last else None,
    )


def _became(action: Action, who: str) -> str:
    if action == "settle":
        return _("%(who)s: settled.", who=who)
    if action == "reject":
        return _("%(who)s: rejected.", who=who)
    return _("%(who)s: is being read again.", who=who)


def _page(
    entry: SubmissionDetail, escalation_id: uuid.UUID, narrowed: dict[str, str], problem: str | None = None
) -> str:
    standing = standing_hold(get_context(), get_person().id, "escalation", escalation_id)
    return render_template(
        "review/escalation.html",
        entry=entry,
        problem=problem,
        typed=request.form if problem else None,
        held=open_at(standing.holder_name, standing.until) if standing and not standing.mine else None,
        narrowed=narrowed,
        next_url=next_escalation_url(escalation_id, narrowed),
        previous_url=previous_escalation_url(escalation_id, narrowed),
    )
