"""Bulk decisions on proposals: the preview, the decision and its undo."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from core.errors import InvalidInputError
from services.messages.entries import Refused
from services.review.bulk import BulkChoice, BulkResult, bulk_decide, preview_bulk, undo_bulk
from services.review.waiting import MOST_COUNTED, WaitingRow, list_waiting
from web.access import get_context, get_person, whole_number
from web.decision_pages import go_on
from web.review import blueprint
from web.review.queue import queue_done
from web.submission_filter import filter_of, in_address, sent_along

#: Limit of items on the page, each of which has pictures of its changes.
PAGE_SIZE = 100


@blueprint.get("/suggestions/bulk", "reviewer")
def bulk() -> ResponseReturnValue:
    narrowed = in_address({**request.args, "status": ""})
    preview = preview_bulk(get_context(), get_person().id, filter_of(narrowed), PAGE_SIZE)
    return render_template(
        "review/bulk.html",
        preview=preview,
        held=_held(narrowed) if preview.held else [],
        narrowed=narrowed,
        most=PAGE_SIZE,
        all_marked=request.args.get("mark") == "all",
    )


@blueprint.post("/suggestions/bulk", "reviewer")
def decide_bulk() -> ResponseReturnValue:
    form, narrowed = request.form, sent_along()
    action = _action(form.get("action"))
    shown = _shown(form.getlist("shown"))
    choices = [_choice(text, shown) for text in form.getlist("item")]
    if not choices:
        flash(_("No proposal was selected, so nothing was decided."))
        return redirect(url_for("review.bulk", **narrowed))
    reason = form.get("reason", "").strip() or None
    result = bulk_decide(get_context(), get_person().id, choices, action, reason)
    return go_on(
        queue_done(narrowed), _became(result), url_for("review.take_back_bulk", bulk_id=result.bulk_id, **narrowed)
    )


@blueprint.post("/bulk/<uuid:bulk_id>/undo", "reviewer")
def take_back_bulk(bulk_id: uuid.UUID) -> ResponseReturnValue:
    undone = undo_bulk(get_context(), get_person().id, bulk_id)
    told = [ngettext("%(num)d decision was undone.", "%(num)d decisions were undone.", undone.undone)]
    if undone.kept:
        told.append(
            ngettext(
                "%(num)d was not undone: its entry has changed since.",
                "%(num)d were not undone: their entries have changed since.",
                undone.kept,
            )
        )
    flash(" ".join(told), "success" if undone.undone else "problem")
    return redirect(url_for("review.queue", **in_address(request.args)))


def _action(sent: str | None) -> Literal["approve", "reject"]:
    """Return the action of the pressed button. Raises InvalidInputError for any other value."""
    if sent == "approve":
        return "approve"
    if sent == "reject":
        return "reject"
    raise InvalidInputError(Refused.FORM_INCOMPLETE)


def _held(narrowed: dict[str, Any]) -> list[WaitingRow]:
    """Return those of the filter's first items that other people hold."""
    wanted = replace(filter_of(narrowed), kind="suggestion", place=None)
    page = list_waiting(get_context(), wanted, limit=PAGE_SIZE)
    return [row for row in page.rows if row.held_by_id not in (None, get_person().id)]


def _shown(texts: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return {item: names of fields whose place on the page was shown}."""
    fields: dict[str, frozenset[str]] = {}
    for text in texts:
        key, _colon, field = text.partition(":")
        fields[key] = fields.get(key, frozenset()) | {field}
    return fields


def _choice(text: str, shown: Mapping[str, frozenset[str]]) -> BulkChoice:
    """Return an item with its previewed version and its shown fields. Raises InvalidInputError."""
    key, _colon, version = text.partition(":")
    try:
        return BulkChoice(uuid.UUID(key), whole_number(version), shown.get(key, frozenset()))
    except ValueError as exc:
        raise InvalidInputError(Refused.FORM_INCOMPLETE) from exc


def _became(result: BulkResult) -> str:
    told = [ngettext("%(num)d proposal decided.", "%(num)d proposals decided.", result.decided)]
    if result.came_back:
        told.append(
            ngettext(
                "%(num)d of them is waiting again: something is still open.",
                "%(num)d of them are waiting again: something is still open.",
                result.came_back,
            )
        )
    if result.held:
        told.append(
            ngettext(
                "%(num)d was skipped: someone has it open.",
                "%(num)d were skipped: someone has them open.",
                result.held,
            )
        )
    if result.lost:
        told.append(
            ngettext(
                "%(num)d was skipped: it was decided or changed in the meantime.",
                "%(num)d were skipped: they were decided or changed in the meantime.",
                result.lost,
            )
        )
    if result.unclear:
        told.append(
            ngettext(
                "%(num)d was skipped: it must be reviewed individually.",
                "%(num)d were skipped: they must be reviewed individually.",
                result.unclear,
            )
        )
    if result.unshown:
        told.append(
            ngettext(
                "%(num)d was skipped: the image of a value was not shown.",
                "%(num)d were skipped: the images of some values were not shown.",
                result.unshown,
            )
        )
    told.append(_still_waiting(result.waiting))
    return " ".join(told)


def _still_waiting(number: int) -> str:
    if number >= MOST_COUNTED:
        return _("At least %(number)s entries are still waiting.", number=number)
    if number:
        return ngettext("%(num)d entry is still waiting.", "%(num)d entries are still waiting.", number)
    return _("Nothing else is waiting.")
