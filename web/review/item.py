"""Review one item: show it, decide, hold it, undo."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from core.models import DecisionKind, SecurityEventKind, SubmissionStatus
from services.items.holds import ItemKind
from services.messages.entries import Conflict, Refused
from services.review.decisions import (
    FieldAnswer,
    decide_suggestion,
    park_item,
    put_back_in_queue,
    reject_suggested,
)
from services.review.details import FieldChoice
from services.review.escalations import Action, resolve_escalation
from services.review.item import DeskItem, ItemToDecide, desk_item, item_to_decide, standing_now
from services.review.undo import decision_on, last_decision, undo_decision
from services.review.waiting import WaitingItem, waiting_item
from web.access import get_context, get_person, wants_json, whole_number
from web.decision_pages import go_on, offer_holds, open_at, version_of
from web.i18n import say
from web.labels import DERIVED_FIELDS, submission_field_label
from web.review import blueprint
from web.review.queue import aside_sentence, handed_out_url, item_url, next_item_url, queue_done, urls_beside
from web.security.requests import viewed
from web.submission_filter import in_address, sent_along

#: Actions on an escalation that start another reading; they cannot be undone.
_READS_AGAIN: dict[str, Action] = {"read_again": "read_again", "ask_model": "ask_model"}


@blueprint.get("/suggestions/<uuid:suggestion_id>", "reader")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def suggestion(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    """Show a proposal with its entry, and its decision if it has one."""
    item = desk_item(get_context(), get_person(), "suggestion", suggestion_id)
    return _decision_answer(item) if wants_json() else _page(item, in_address(request.args))


@blueprint.get("/escalations/<uuid:escalation_id>/of/<uuid:submission_id>", "reviewer")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def escalation(escalation_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    """Show a pending escalation; redirect to the entry if it is not pending."""
    item = desk_item(get_context(), get_person(), "escalation", escalation_id)
    if wants_json():
        return _decision_answer(item)
    if item.status != "pending" or item.submission_id != submission_id:
        return redirect(url_for("submissions.detail", submission_id=submission_id))
    return _page(item, in_address(request.args))


@blueprint.post("/suggestions/<uuid:suggestion_id>", "reviewer")
def decide(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    return _decided("suggestion", suggestion_id)


@blueprint.post("/escalations/<uuid:escalation_id>/of/<uuid:submission_id>", "reviewer")
def resolve(escalation_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    return _decided("escalation", escalation_id)


def _decided(kind: ItemKind, item_id: uuid.UUID) -> ResponseReturnValue:
    """Decide, then go to the next item; a refused form is shown again as it was typed."""
    item = item_to_decide(get_context(), kind, item_id)
    narrowed = sent_along()
    if request.form.get("decide") == "put_back":
        put_back_in_queue(get_context(), get_person().id, item.submission_id)
        sentence = _("%(who)s: back in the queue.", who=item.student_name or item.filename)
        return go_on(item_url(WaitingItem(item.kind, item.id, item.submission_id), narrowed), sentence, None)
    try:
        sentence, decision_id = _decide(item, request.form.get("decide", ""))
    except InvalidInputError as error:
        return _refused(item, narrowed, error)
    return _gone_on(item, narrowed, sentence, decision_id)


def _gone_on(
    item: ItemToDecide | DeskItem, narrowed: dict[str, Any], sentence: str, decision_id: uuid.UUID | None
) -> ResponseReturnValue:
    undo = url_for("review.undo", decision_id=decision_id, **narrowed) if decision_id else None
    return go_on(_following(item, narrowed), sentence, undo)


def _decision_answer(item: DeskItem) -> ResponseReturnValue:
    """Repeat for a script the lost answer to its decision on the `version` of the item.

    The answer is `waits` if no decision has arrived. Raises ConflictError if another person has decided or changed
    the item.
    """
    actor, narrowed = get_person().id, in_address(request.args)
    decision_id = decision_on(get_context(), actor, item.id)
    if item.status != "pending":
        if item.resolved_by_id != actor:
            raise ConflictError(Conflict.DECIDED, deed=item.status, who=item.resolved_by)
        return _gone_on(item, narrowed, _standing_sentence(item, []), decision_id)
    if request.args.get("version", type=whole_number) == item.version:
        return jsonify(waits=True)
    if item.aside is None or decision_id is None:
        raise ConflictError(Conflict.CHANGED, item=item.kind)
    return _gone_on(item, narrowed, _parked(item), decision_id)


def _parked(item: ItemToDecide | DeskItem) -> str:
    return _("%(who)s: parked.", who=item.student_name or item.filename)


def _decide(item: ItemToDecide, action: str) -> tuple[str, uuid.UUID | None]:
    """Carry out the action; return a sentence about its result, and the decision to undo."""
    context, form, actor = get_context(), request.form, get_person().id
    version, reason = version_of(form), form.get("reason", "").strip() or None
    if action == "park":
        until = _start_of_day(form.get("park_until", ""))
        note = form.get("park_note", "").strip() or None
        decision_id = park_item(context, actor, item.kind, item.id, version, note, until)
        return _parked(item), decision_id
    asked, waived = form.getlist("ask"), form.getlist("waive")
    if item.kind == "suggestion":
        if action == "reject_entry":
            decided = reject_suggested(context, actor, item.id, version, reason)
        else:
            decided = decide_suggestion(
                context,
                actor,
                item.id,
                version,
                answers_of(form, item.suggested),
                reason,
                values=changed_values(form, item.others),
                asked=asked,
                waived=waived,
                leaves_open=action != "finish" or item.pair_id is not None,
            )
        return _standing_sentence(item, asked), decided.decision_id
    wanted: Action = _READS_AGAIN.get(action, "reject" if action in ("reject", "reject_entry") else "settle")
    resolve_escalation(
        context,
        actor,
        item.id,
        version,
        wanted,
        changed_values(form, item.others) if wanted == "settle" else {},
        reason,
        {name: form[name] for name in ("ocr_provider", "profile") if form.get(name)},
        asked=asked if wanted == "settle" else (),
        waived=waived if wanted == "settle" else (),
    )
    if wanted in _READS_AGAIN:
        return _("%(who)s: is being read again.", who=item.student_name or item.filename), None
    return _standing_sentence(item, asked), last_decision(context, actor, item.submission_id)


def _standing_sentence(item: ItemToDecide | DeskItem, asked: list[str]) -> str:
    """Return a sentence about the status of the entry after the decision."""
    now = standing_now(get_context(), item.submission_id)
    who = now.student_name or item.filename
    if now.status in (SubmissionStatus.QUEUED, SubmissionStatus.PROCESSING):
        return _("%(who)s: is being read again.", who=who)
    if now.status == SubmissionStatus.RESOLVED:
        return _("%(who)s: complete.", who=who)
    if now.status == SubmissionStatus.REJECTED:
        return _("%(who)s: rejected.", who=who)
    named = [name for name in now.missing_fields if name in asked] or now.missing_fields
    missing = ", ".join(submission_field_label(name) for name in named)
    if asked:
        return _("%(who)s: added to the letter list (%(fields)s).", who=who, fields=missing)
    if missing:
        return _("%(who)s: still needs a person (%(missing)s).", who=who, missing=missing)
    return _("%(who)s: still needs a person.", who=who)


def _following(item: ItemToDecide | DeskItem, narrowed: dict[str, Any]) -> str:
    """Return the next URL: the pair of duplicates with this entry, the next item, or the end of the queue."""
    if item.pair_id is not None:
        rest = waiting_item(get_context(), item.submission_id)
        if rest is not None and rest.id != item.id:
            return url_for("duplicates.pair", pair_id=item.pair_id)
    # A script that shows the next item already has taken its own hold, and may have released it since.
    is_shown = request.method == "GET" or "ahead" in request.form
    following = next_item_url if is_shown else handed_out_url
    return following(item.id, narrowed) or queue_done(narrowed)


def _refused(item: ItemToDecide, narrowed: dict[str, Any], error: InvalidInputError) -> ResponseReturnValue:
    """Show the item again with the typed values, the problem, and the fields it concerns."""
    if error.message is None or error.message.code == Refused.FORM_INCOMPLETE:
        raise error
    params = error.message.params
    named = params.get("fields") or params.get("names") or [params.get("field")]
    wrong = [str(name) for name in (named if isinstance(named, list | tuple) else [named]) if name]
    sentence = say(error.told)
    if wants_json():
        details = {"code": str(error.code), "message": sentence, "help": "", "fields": wrong}
        return jsonify(error=details), error.http_status
    shown = desk_item(get_context(), get_person(), item.kind, item.id)
    return _page(shown, narrowed, sentence, wrong), error.http_status


def _page(
    item: DeskItem, narrowed: dict[str, Any], problem: str | None = None, wrong: list[str] | None = None
) -> str:
    person = get_person()
    held = None
    if item.held_by and item.held_until and item.held_by_id != person.id:
        held = open_at(item.held_by, item.held_until)
    today = utcnow().date()
    next_url, previous_url = urls_beside(item.id, narrowed)
    return render_template(
        "review/item.html",
        item=item,
        may_decide=person.role.may_review and item.status == "pending",
        held=held,
        narrowed=narrowed,
        problem=problem,
        wrong=wrong or [],
        typed=request.form if problem else None,
        next_url=next_url,
        previous_url=previous_url,
        **_urls(item),
        tomorrow=(today + timedelta(days=1)).isoformat(),
        in_a_week=(today + timedelta(days=7)).isoformat(),
        aside_told=None if item.aside is None else aside_sentence(item.aside),
    )


def _urls(item: DeskItem) -> dict[str, str]:
    """Return the URLs to decide the item and to take and release its hold."""
    if item.kind == "suggestion":
        return {
            "decide_url": url_for("review.decide", suggestion_id=item.id),
            "claim_url": url_for("review.hold_suggestion", suggestion_id=item.id),
            "release_url": url_for("review.release_suggestion", suggestion_id=item.id),
        }
    escalation_id, submission_id = item.id, item.submission_id
    return {
        "decide_url": url_for("review.resolve", escalation_id=escalation_id, submission_id=submission_id),
        "claim_url": url_for("review.hold_escalation", escalation_id=escalation_id, submission_id=submission_id),
        "release_url": url_for("review.release_escalation", escalation_id=item.id),
    }


def _start_of_day(text: str) -> datetime | None:
    """Return the start of a day in UTC; None for an empty text. Raises InvalidInputError."""
    if not text.strip():
        return None
    try:
        return datetime.combine(date.fromisoformat(text.strip()), time(), UTC)
    except ValueError as exc:
        raise InvalidInputError(Refused.ASIDE_UNTIL) from exc


# Undo a decision, as long as the entry has not changed since.


@blueprint.post("/undo", "reviewer")
def undo_last() -> ResponseReturnValue:
    """Undo this person's last decision of any kind."""
    last = last_decision(get_context(), get_person().id, None)
    if last is None:
        flash(_("You have no decision to undo."))
        return redirect(url_for("review.queue", **sent_along()))
    return undo(last)


@blueprint.post("/decisions/<uuid:decision_id>/undo", "reviewer")
def undo(decision_id: uuid.UUID) -> ResponseReturnValue:
    """Undo one decision. With `undone` in the URL the page restores what was typed for it."""
    undone = undo_decision(get_context(), get_person().id, decision_id)
    flash(_("Undone. The entry is as it was before."), "success")
    narrowed = in_address(request.args) or sent_along()
    entry, item = undone.submission_id, undone.item_id
    if undone.kind == DecisionKind.SUGGESTION and item:
        return redirect(url_for("review.suggestion", suggestion_id=item, undone=1, **narrowed))
    if undone.kind == DecisionKind.ESCALATION and item:
        return redirect(
            url_for("review.escalation", escalation_id=item, submission_id=entry, undone=1, **narrowed)
        )
    return redirect(url_for("submissions.detail", submission_id=entry))


# Holds on proposals and escalations.


def _after(item_id: uuid.UUID) -> str | None:
    return next_item_url(item_id, sent_along())


offer_holds(
    blueprint,
    "suggestion",
    "reviewer",
    "/suggestions/<uuid:suggestion_id>",
    partial(url_for, "review.suggestion"),
    _after,
)
offer_holds(
    blueprint,
    "escalation",
    "reviewer",
    "/escalations/<uuid:escalation_id>/of/<uuid:submission_id>",
    partial(url_for, "review.escalation"),
    _after,
)


# Read a person's answers from the form of a proposal or an entry.


def answers_of(form: MultiDict[str, str], fields: Sequence[FieldChoice]) -> dict[str, FieldAnswer]:
    """Return {field: answer}. "Reject all" overrides the answers of the fields.

    A field without a proposal has no choice: the typed value is its answer.
    """
    if form.get("decide") == "reject":
        return {field.name: FieldAnswer("reject") for field in fields}
    return {field.name: _answer(form, field) for field in fields}


def _answer(form: MultiDict[str, str], field: FieldChoice) -> FieldAnswer:
    value = _text(form.get(f"value-{field.name}"))
    action = form.get(f"action-{field.name}") or ("edit" if field.proposed is None and value else "reject")
    if action == "keep" and field.current is not None:
        return FieldAnswer("keep")
    if action == "edit" and value is not None and value != field.proposed:
        return FieldAnswer("keep") if value == field.current else FieldAnswer("edit", value)
    if action in ("approve", "edit") and value == field.proposed and value is not None:
        return FieldAnswer("approve")
    if action == "approve" and field.proposed is not None:
        return FieldAnswer("approve")
    return FieldAnswer("reject")


def changed_values(form: Mapping[str, str], standing: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the sent values that differ from the `standing` ones; unchanged fields keep their recorded origin."""
    sent = {key.removeprefix("value-"): _text(value) for key, value in form.items() if key.startswith("value-")}
    return {
        name: value
        for name, value in sent.items()
        if name in standing and name not in DERIVED_FIELDS and value != _text(standing[name])
    }


def _text(value: str | None) -> str | None:
    """Return the value with CRLF, which browsers send, replaced by LF; None if it is empty."""
    return (value or "").replace("\r\n", "\n").strip() or None
