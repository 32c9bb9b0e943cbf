"""Pages of the system: its state, the queue, mails that wait, events and traces."""

from __future__ import annotations

import uuid
from datetime import date, timedelta

from flask import Response, flash, redirect, render_template, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext

from core.clock import utcnow
from core.errors import InvalidInputError
from core.mail import mail_is_configured
from core.messages import keys_of
from core.models import MailState, SecurityEventKind
from core.work import JobKind
from services.audit import record_export
from services.doctor.checks import examine, something_wrong
from services.event_log import (
    MOST_ENTRIES,
    EventFilter,
    count_events,
    every_event,
    find_submissions,
    json_lines,
    list_events,
)
from services.mails.mails import KEPT_DAYS, cancel_mail, count_mails, list_mails, retry_mail
from services.messages.entries import Refused
from services.queue.failed_work import MAY_FAIL, last_passes, samples
from services.queue.jobs import QueuePeak, cancel_job, in_spans, queue_view, retry_all, retry_work
from services.runs.settle import trace_page
from web.access import app_settings, get_context, get_person
from web.admin import blueprint
from web.admin.stats_words import stacked_bars
from web.security.sign_in_guard import recently_confirmed


@blueprint.get("/system", "overseer")
def system() -> ResponseReturnValue:
    return _page(elsewhere=False)


@blueprint.post("/system", "admin")
def try_everything() -> ResponseReturnValue:
    """Check the language model and the trace endpoint, too. Nothing changes, so the answer is the page itself."""
    return _page(elsewhere=True)


def _page(elsewhere: bool) -> str:
    found = examine(get_context(), elsewhere)
    return render_template("admin/system.html", findings=found, wrong=something_wrong(found), elsewhere=elsewhere)


# The queue: jobs, workers and failures; try again and cancel.


#: The chart shows a day in quarters of an hour.
_SPAN = timedelta(minutes=15)
_SPANS = 96


@blueprint.get("/queue", "overseer")
def queue() -> ResponseReturnValue:
    context, kind = get_context(), request.args.get("kind", type=JobKind)
    spans = in_spans(samples(context, _SPANS * _SPAN), utcnow(), _SPAN, _SPANS)
    return render_template(
        "admin/queue.html",
        view=queue_view(context, kind),
        only=kind,
        may_fail=MAY_FAIL,
        chart=stacked_bars([(span, _jobs(span)) for span in spans], ("running", "queued")),
        sampled=(spans[0].begins, spans[-1].begins),
        spans=[span for span in reversed(spans) if span.queued is not None],
        passes=last_passes(context),
    )


@blueprint.post("/queue/retry", "admin")
@recently_confirmed
def retry_job() -> ResponseReturnValue:
    retry_work(get_context(), get_person().id, _kind(), request.form.get("key", ""))
    flash(gettext("The job is back on the queue."), "success")
    return redirect(url_for("admin.queue"))


@blueprint.post("/queue/requeue", "admin")
@recently_confirmed
def retry_jobs() -> ResponseReturnValue:
    wanted = request.form.get("kind", "")
    done = retry_all(get_context(), get_person().id, _kind() if wanted else None)
    sentence = ngettext("%(num)d job is back on the queue.", "%(num)d jobs are back on the queue.", done)
    flash(sentence if done else gettext("There were no failed jobs left."), "success")
    return redirect(url_for("admin.queue"))


@blueprint.post("/queue/cancel", "admin")
@recently_confirmed
def cancel() -> ResponseReturnValue:
    cancel_job(get_context(), get_person().id, _kind(), request.form.get("key", ""))
    flash(gettext("The job was removed from the queue. It counts as failed and can be tried again."), "success")
    return redirect(url_for("admin.queue"))


def _kind() -> JobKind:
    """Return the kind that the form names. Raises InvalidInputError."""
    kind = request.form.get("kind", type=JobKind)
    if kind is None:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return kind


def _jobs(span: QueuePeak) -> dict[str, int]:
    return {"running": span.running or 0, "queued": span.queued or 0}


# The mails that wait, were sent, or were not: try again and cancel.


@blueprint.get("/mails", "overseer")
def mails() -> ResponseReturnValue:
    state = request.args.get("state", type=MailState)
    return render_template(
        "admin/mails.html",
        page=list_mails(get_context(), state, request.args.get("page")),
        counts=count_mails(get_context()),
        state=state,
        filters={"state": state.value} if state else {},
        configured=mail_is_configured(app_settings()),
        kept_days=KEPT_DAYS,
    )


@blueprint.post("/mails/<uuid:mail_id>/retry", "admin")
@recently_confirmed
def retry_one_mail(mail_id: uuid.UUID) -> ResponseReturnValue:
    retry_mail(get_context(), mail_id)
    flash(gettext("The message will be sent again."), "success")
    return redirect(url_for("admin.mails"))


@blueprint.post("/mails/<uuid:mail_id>/cancel", "admin")
@recently_confirmed
def cancel_one_mail(mail_id: uuid.UUID) -> ResponseReturnValue:
    cancel_mail(get_context(), mail_id)
    flash(gettext("The message will not be sent."), "success")
    return redirect(url_for("admin.mails"))


# The record of events: a page with filters, and JSON Lines.


@blueprint.get("/events", "overseer")
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


@blueprint.get("/events.jsonl", "overseer")
@recently_confirmed
def events_file() -> ResponseReturnValue:
    """Send all events that match the filters. The export is recorded first, as an event of its own."""
    context, wanted = get_context(), _wanted()
    record_export(context, get_person().id, "events", count_events(context, wanted))
    lines = stream_with_context(json_lines(every_event(context, wanted)))
    response = Response(lines, content_type="application/x-ndjson")
    response.headers["Content-Disposition"] = "attachment; filename=events.jsonl"
    return response


def _wanted() -> EventFilter:
    """Return the filters from the URL; an invalid kind or day is ignored."""
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
    """Return the name or code of the entries to filter by; "" for all entries."""
    return request.args.get("entry", "").strip()


def _as_sent(wanted: EventFilter) -> dict[str, str]:
    named = {
        "kind": wanted.kind,
        "person": wanted.person,
        "entry": _asked() or None,
        "from": wanted.first,
        "to": wanted.last,
    }
    return {name: str(value) for name, value in named.items() if value is not None}


# Redirect to the trace of a run on LangSmith.


@blueprint.get("/traces/<uuid:trace_id>", "overseer")
def trace(trace_id: uuid.UUID) -> ResponseReturnValue:
    return redirect(trace_page(get_context(), trace_id))
