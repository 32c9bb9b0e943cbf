"""The review queue, and the queue of report revisions."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.models import AsideKind
from services.review.asides import AsideView
from services.review.waiting import (
    WaitingItem,
    count_waiting,
    hand_out_next,
    list_waiting,
    next_waiting,
    waiting_beside,
)
from services.season_admin.seasons import waiting_elsewhere
from services.supervision.revisions import list_revisions
from web.access import get_context, get_person
from web.decision_pages import REVISION_BINDINGS, next_revision_url
from web.i18n import full_day
from web.labels import reason_options, submission_field_label
from web.review import blueprint
from web.submission_filter import filter_of, in_address

#: The statuses that each kind of item can be listed by.
_STATUSES = {
    "suggestion": ("pending", "approved", "rejected", "superseded"),
    "escalation": ("pending", "resolved", "rejected", "superseded"),
}


@blueprint.get("", "report_reader")
def queue() -> ResponseReturnValue:
    """Show the queue; redirect roles that see no entries to the queue of revisions."""
    if not get_person().role.sees_all:
        return redirect(url_for("review.report_revisions"))
    return _page("review.queue", in_address(request.args))


@blueprint.get("/suggestions", "report_reader")
def suggestions() -> ResponseReturnValue:
    """Show only the proposals; redirect roles that see no entries to the queue of revisions."""
    if not get_person().role.sees_all:
        return redirect(url_for("review.report_revisions"))
    return _page("review.suggestions", {**in_address(request.args), "kind": "suggestion"})


@blueprint.get("/escalations", "reader")
def escalations() -> ResponseReturnValue:
    return _page("review.escalations", {**in_address(request.args), "kind": "escalation"})


@blueprint.get("/first", "reviewer")
def start() -> ResponseReturnValue:
    return _first(in_address(request.args))


@blueprint.get("/suggestions/first", "reviewer")
def start_suggestions() -> ResponseReturnValue:
    return _first({**in_address(request.args), "kind": "suggestion"})


@blueprint.get("/escalations/first", "reviewer")
def start_escalations() -> ResponseReturnValue:
    return _first({**in_address(request.args), "kind": "escalation"})


def next_item_url(after: uuid.UUID | None, narrowed: Mapping[str, Any]) -> str | None:
    """Return the URL of the next item that no other person holds, None without one."""
    found = next_waiting(get_context(), filter_of(narrowed), after, get_person().id)
    return found and item_url(found, narrowed)


def handed_out_url(after: uuid.UUID | None, narrowed: Mapping[str, Any]) -> str | None:
    """Return the URL of the next item, which this person holds from now on, None without one."""
    found = hand_out_next(get_context(), filter_of(narrowed), after, get_person().id)
    return found and item_url(found, narrowed)


def urls_beside(item_id: uuid.UUID, narrowed: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Return the URLs of the next and of the previous item that no other person holds, None without one."""
    after, before = waiting_beside(get_context(), filter_of(narrowed), item_id, get_person().id)
    return after and item_url(after, narrowed), before and item_url(before, narrowed)


def item_url(item: WaitingItem, narrowed: Mapping[str, Any]) -> str:
    if item.kind == "suggestion":
        return url_for("review.suggestion", suggestion_id=item.id, **narrowed)
    return url_for("review.escalation", escalation_id=item.id, submission_id=item.submission_id, **narrowed)


def queue_done(narrowed: Mapping[str, Any]) -> str:
    """Return the URL of the finished queue; with a filter, `done` tells the page that all matches are decided."""
    return url_for("review.queue", **({"done": "1", **narrowed} if narrowed else {}))


def _first(narrowed: dict[str, Any]) -> ResponseReturnValue:
    return redirect(handed_out_url(None, narrowed) or url_for("review.queue", **narrowed))


def aside_sentence(aside: AsideView) -> str:
    """Return a sentence on why an entry is set aside, until when, and by whom."""
    since, until = full_day(aside.since), full_day(aside.until)
    if aside.kind == AsideKind.ASKED:
        fields = ", ".join(submission_field_label(name) for name in aside.fields)
        if aside.returned:
            return _(
                "%(who)s asked for %(fields)s on %(day)s. No answer yet.", who=aside.by, fields=fields, day=since
            )
        return _(
            "%(who)s asked for %(fields)s on %(day)s. Without an answer it is back in the queue on %(until)s.",
            who=aside.by,
            fields=fields,
            day=since,
            until=until,
        )
    sentence = _("%(who)s parked this until %(until)s.", who=aside.by, until=until)
    return f"{sentence} {aside.note}" if aside.note else sentence


def _page(endpoint: str, narrowed: dict[str, Any]) -> str:
    wanted = filter_of(narrowed)
    return render_template(
        "review/queue.html",
        endpoint=endpoint,
        page=list_waiting(get_context(), wanted, request.args.get("page")),
        counts=count_waiting(get_context()),
        elsewhere=waiting_elsewhere(get_context(), get_person()),
        wanted=wanted,
        narrowed=narrowed,
        narrows=bool(set(narrowed) - {"kind", "place"}),
        statuses=_STATUSES.get(wanted.kind or "", ()),
        reasons=reason_options(),
        aside_sentence=aside_sentence,
        item_url=lambda row: item_url(WaitingItem(row.kind, row.id, row.submission_id), narrowed),
        title={"suggestion": _("Proposals"), "escalation": _("Escalations")}.get(
            wanted.kind or "", _("To decide")
        ),
    )


# The queue of revisions of reports.


@blueprint.get("/suggestions/reports", "report_reader")
def report_revisions() -> ResponseReturnValue:
    context = get_context()
    return render_template(
        "review/report_revisions.html",
        page=list_revisions(context, request.args.get("page")),
        counts=count_waiting(context),
        first_url=next_revision_url(None) if get_person().role.may_research else None,
        done=request.args.get("done"),
        bindings=REVISION_BINDINGS,
    )
