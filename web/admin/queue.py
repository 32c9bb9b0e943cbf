"""The queue: jobs, workers and failures; try again and cancel."""

from __future__ import annotations

from datetime import timedelta

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext

from core.clock import utcnow
from core.errors import InvalidInputError
from core.labels import keys_of
from core.work import JobKind
from services.messages.refused import Refused
from services.queue.cancel_job import cancel_job
from services.queue.depth import Span, in_spans
from services.queue.failed_work import MAY_FAIL
from services.queue.history import last_passes, samples
from services.queue.queue_view import queue_view
from services.queue.retry_work import retry_all, retry_work
from web.access import access
from web.admin import blueprint
from web.admin.charts.stacked import stacked_bars
from web.context import get_context, get_person
from web.security.confirmed import confirmed

#: The chart shows a day in quarters of an hour.
_SPAN = timedelta(minutes=15)
_SPANS = 96


@blueprint.get("/queue")
@access("overseer")
def queue() -> ResponseReturnValue:
    context, kind = get_context(), _kind_or_none(request.args.get("kind", ""))
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


@blueprint.post("/queue/retry")
@access("admin")
@confirmed
def retry_job() -> ResponseReturnValue:
    retry_work(get_context(), get_person().id, _kind(), request.form.get("key", ""))
    flash(gettext("The job is back on the queue."), "success")
    return redirect(url_for("admin.queue"))


@blueprint.post("/queue/requeue")
@access("admin")
@confirmed
def retry_jobs() -> ResponseReturnValue:
    wanted = request.form.get("kind", "")
    done = retry_all(get_context(), get_person().id, _kind() if wanted else None)
    told = ngettext("%(num)d job is back on the queue.", "%(num)d jobs are back on the queue.", done)
    flash(told if done else gettext("There were no failed jobs left."), "success")
    return redirect(url_for("admin.queue"))


@blueprint.post("/queue/cancel")
@access("admin")
@confirmed
def cancel() -> ResponseReturnValue:
    cancel_job(get_context(), get_person().id, _kind(), request.form.get("key", ""))
    flash(gettext("The job was removed from the queue. It counts as failed and can be tried again."), "success")
    return redirect(url_for("admin.queue"))


def _kind() -> JobKind:
    """Return the kind that the form names. Raises InvalidInputError."""
    kind = _kind_or_none(request.form.get("kind", ""))
    if kind is None:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return kind


def _kind_or_none(name: str) -> JobKind | None:
    return JobKind(name) if name in keys_of(JobKind) else None


def _jobs(span: Span) -> dict[str, int]:
    return {"running": span.running or 0, "queued": span.queued or 0}
