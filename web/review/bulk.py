"""One answer to many proposals: first what would change, then the decisions, then the way back."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from core.errors import InvalidInputError
from services.review.bulk_decide import MAX_BULK, BulkResult, bulk_decide, preview_bulk, undo_bulk
from services.review.list_suggestions import SuggestionRow, list_suggestions
from services.review.queue_filter import SuggestionFilter
from web.access import access
from web.context import get_context, get_person
from web.desk.notices import go_on
from web.review import blueprint
from web.review.filters import filter_of, in_address, sent_along
from web.review.sequence import queue_done


@blueprint.get("/suggestions/bulk")
@access("reviewer")
def bulk() -> ResponseReturnValue:
    narrowed = in_address({**request.args, "status": ""})
    preview = preview_bulk(get_context(), get_person().id, filter_of(SuggestionFilter, narrowed))
    return render_template(
        "review/bulk.html",
        preview=preview,
        held=_held(narrowed) if preview.held else [],
        narrowed=narrowed,
        most=MAX_BULK,
    )


@blueprint.post("/suggestions/bulk")
@access("reviewer")
def decide_bulk() -> ResponseReturnValue:
    form, narrowed = request.form, sent_along()
    action = form.get("action")
    if action not in ("approve", "reject"):
        raise InvalidInputError(_("The form is not complete. Reload the page and decide again."))
    items = [_item(text) for text in form.getlist("item")]
    if not items:
        flash(_("No proposal was marked, so nothing was decided."))
        return redirect(url_for("review.bulk", **narrowed))
    reason = form.get("reason", "").strip() or None
    result = bulk_decide(get_context(), get_person().id, items, action, reason)
    return go_on(
        queue_done("review.suggestions", narrowed),
        _became(result),
        url_for("review.take_back_bulk", bulk_id=result.bulk_id, **narrowed),
    )


@blueprint.post("/bulk/<uuid:bulk_id>/undo")
@access("reviewer")
def take_back_bulk(bulk_id: uuid.UUID) -> ResponseReturnValue:
    undone = undo_bulk(get_context(), get_person().id, bulk_id)
    told = [ngettext("%(num)d decision was taken back.", "%(num)d decisions were taken back.", undone.undone)]
    if undone.kept:
        told.append(
            ngettext(
                "%(num)d stands: its entry has changed since.",
                "%(num)d stand: their entries have changed since.",
                undone.kept,
            )
        )
    flash(" ".join(told), "success" if undone.undone else "problem")
    return redirect(url_for("review.suggestions", **in_address(request.args)))


def _held(narrowed: dict[str, str]) -> list[SuggestionRow]:
    """Those of the first items of the filter that somebody else has open, to be named."""
    page = list_suggestions(get_context(), filter_of(SuggestionFilter, narrowed), limit=MAX_BULK)
    return [row for row in page.rows if row.held_by_id not in (None, get_person().id)]


def _item(text: str) -> tuple[uuid.UUID, int]:
    """An item with the version that was previewed."""
    key, _colon, version = text.partition(":")
    try:
        return uuid.UUID(key), int(version)
    except ValueError as exc:
        raise InvalidInputError(_("The form is not complete. Reload the page and decide again.")) from exc


def _became(result: BulkResult) -> str:
    told = [ngettext("%(num)d proposal decided.", "%(num)d proposals decided.", result.decided)]
    if result.held:
        told.append(
            ngettext(
                "%(num)d was left out: somebody has it open.",
                "%(num)d were left out: somebody has them open.",
                result.held,
            )
        )
    if result.lost:
        told.append(
            ngettext(
                "%(num)d was left out: it was decided or changed in the meantime.",
                "%(num)d were left out: they were decided or changed in the meantime.",
                result.lost,
            )
        )
    return " ".join(told)
