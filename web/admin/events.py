"""The record of events: a page with filters, and JSON Lines."""

from __future__ import annotations

from datetime import date

from flask import Response, render_template, request, stream_with_context
from flask.typing import ResponseReturnValue

from core.labels import keys_of
from core.models import SecurityEventKind
from services.event_log.json_lines import json_lines
from services.event_log.list_events import (
    MOST_ENTRIES,
    EventFilter,
    count_events,
    every_event,
    find_submissions,
    list_events,
)
from services.security_events import record_export
from web.access import access
from web.admin import blueprint
from web.context import get_context, get_person
from web.security.confirmed import confirmed


@blueprint.get("/events")
@access("overseer")
def events() -> ResponseReturnValue:
    wanted = _wanted()
    return render_template(
        "admin/events.html",
        page=list_events(get_context(), wanted, request.args.get("page")),
        wanted=wanted,
        entry=_asked(),
        most_entries=MOST_ENTRIES,
        filters=_as_sent(wanted),
        kinds=keys_of(SecurityEventKind),
    )


@blueprint.get("/events.jsonl")
@access("overseer")
@confirmed
def events_file() -> ResponseReturnValue:
    """Send all events that the filters name. That they were taken out is an event itself, recorded first."""
    context, wanted = get_context(), _wanted()
    record_export(context, get_person().id, "events", count_events(context, wanted))
    lines = stream_with_context(json_lines(every_event(context, wanted)))
    response = Response(lines, content_type="application/x-ndjson")
    response.headers["Content-Disposition"] = "attachment; filename=events.jsonl"
    return response


def _wanted() -> EventFilter:
    """Return the filters of the address; a kind or day that does not fit does not filter."""
    given, entry = request.args, _asked()
    kind = given.get("kind")
    return EventFilter(
        kind=kind if kind in keys_of(SecurityEventKind) else None,
        person=given.get("person", "").strip() or None,
        submission_ids=find_submissions(get_context(), entry) if entry else None,
        first=given.get("from", type=date.fromisoformat),
        last=given.get("to", type=date.fromisoformat),
    )


def _asked() -> str:
    """Return the name or code of the entries that are wanted; "" for those of all."""
    return request.args.get("entry", "").strip()


def _as_sent(wanted: EventFilter) -> dict[str, str]:
    """Return the filters as parameters of an address."""
    named = {
        "kind": wanted.kind,
        "person": wanted.person,
        "entry": _asked() or None,
        "from": wanted.first,
        "to": wanted.last,
    }
    return {name: str(value) for name, value in named.items() if value is not None}
