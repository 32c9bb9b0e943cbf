"""The page of a batch, with its progress."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.clock import utcnow
from services.batches.apply_defaults import defaults_view
from services.batches.received import receive_batch
from services.uploads.batch_progress import batch_progress
from services.uploads.expect_submissions import MOST, expect_submissions, expected_number
from web.access import access
from web.changing_part import changing_part
from web.context import get_context, get_person, get_settings
from web.desk.notices import take_notice
from web.submissions import blueprint


@blueprint.get("/batches/<uuid:batch_id>")
@access("signed_in")
def batch(batch_id: uuid.UUID) -> ResponseReturnValue:
    return render_template(
        "submissions/batch.html",
        batch=batch_progress(get_context(), get_person(), batch_id),
        most_entries=MOST,
        view=defaults_view(get_context(), get_person(), batch_id),
        take_notice=take_notice,
        today=get_settings().office_day(utcnow()),
    )


@blueprint.get("/batches/<uuid:batch_id>/progress")
@access("signed_in")
def batch_progress_part(batch_id: uuid.UUID) -> ResponseReturnValue:
    """Return the changing part of the page; 304 while nothing has changed."""
    progress = batch_progress(get_context(), get_person(), batch_id)
    return changing_part(progress.fingerprint, "submissions/_progress.html", batch=progress)


@blueprint.post("/batches/<uuid:batch_id>/expected")
@access("uploader")
def expect(batch_id: uuid.UUID) -> ResponseReturnValue:
    number = expected_number(request.form.get("expected_entries", ""))
    expect_submissions(get_context(), get_person(), batch_id, number)
    return redirect(url_for("submissions.batch", batch_id=batch_id))


@blueprint.post("/batches/<uuid:batch_id>/received")
@access("uploader")
def batch_received(batch_id: uuid.UUID) -> ResponseReturnValue:
    receive_batch(get_context(), get_person(), batch_id, request.form.get("received_on", ""))
    flash(gettext("The date received was saved."), "success")
    return redirect(url_for("submissions.batch", batch_id=batch_id))


@blueprint.get("/batches")
@access("uploader")
def batches() -> ResponseReturnValue:
    return redirect(url_for("submissions.upload_page"))
