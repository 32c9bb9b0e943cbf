"""Try a draft on samples, and see what was read and where."""

from __future__ import annotations

import hashlib
import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError, NoFileError, NotFailedError
from core.models import SecurityEventKind
from services.entries.list_submissions import list_submissions
from services.entries.submission_filter import SubmissionFilter
from services.event_log.record_view import Seen, record_view
from services.form_studio.draft import DraftView, find_draft
from services.form_studio.forget_samples import remove_sample
from services.form_studio.pictures import sample_picture
from services.form_studio.samples import (
    MOST_SAMPLES,
    add_samples,
    find_sample,
    list_samples,
    read_samples_again,
    retry_sample,
)
from web.access import access
from web.admin import blueprint
from web.admin.forms.pages import picture
from web.admin.forms.sample_view import shown_sample
from web.changing_part import changing_part
from web.context import get_context, get_person
from web.i18n import say
from web.security.sent_form import sent_files

#: Entries of the season that are offered as samples.
_OFFERED = 20


@blueprint.get("/forms/drafts/<uuid:draft_id>/samples")
@access("admin")
def form_samples(draft_id: uuid.UUID) -> ResponseReturnValue:
    return _shown(find_draft(get_context(), draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/samples")
@access("admin")
def add_form_samples(draft_id: uuid.UUID) -> ResponseReturnValue:
    files = sent_files("files")
    chosen = request.form.getlist("submission", type=uuid.UUID)
    try:
        add_samples(get_context(), get_person().id, draft_id, files, chosen)
    except (InvalidInputError, NoFileError) as error:
        return _shown(find_draft(get_context(), draft_id), say(error.told)), error.http_status
    return redirect(url_for("admin.form_samples", draft_id=draft_id))


@blueprint.get("/forms/drafts/<uuid:draft_id>/samples/state")
@access("admin")
def form_samples_state(draft_id: uuid.UUID) -> ResponseReturnValue:
    """Return the changing part of the page; 304 while nothing has changed."""
    draft, rows = find_draft(get_context(), draft_id), list_samples(get_context(), draft_id)
    facts = [(str(row.id), row.status, row.draft_version) for row in rows]
    fingerprint = hashlib.sha256(repr((draft.version, facts)).encode()).hexdigest()[:32]
    samples = [shown_sample(draft, row) for row in rows]
    return changing_part(fingerprint, "admin/forms/_samples.html", draft=draft, samples=samples)


@blueprint.post("/forms/drafts/<uuid:draft_id>/samples/again")
@access("admin")
def read_form_samples(draft_id: uuid.UUID) -> ResponseReturnValue:
    read_samples_again(get_context(), draft_id)
    return redirect(url_for("admin.form_samples", draft_id=draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/samples/<uuid:sample_id>/retry")
@access("admin")
def retry_form_sample(draft_id: uuid.UUID, sample_id: uuid.UUID) -> ResponseReturnValue:
    find_sample(get_context(), draft_id, sample_id)
    try:
        retry_sample(get_context(), sample_id)
    except NotFailedError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("admin.form_samples", draft_id=draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/samples/<uuid:sample_id>/remove")
@access("admin")
def remove_form_sample(draft_id: uuid.UUID, sample_id: uuid.UUID) -> ResponseReturnValue:
    remove_sample(get_context(), draft_id, sample_id)
    flash(gettext("The sample was removed."), "success")
    return redirect(url_for("admin.form_samples", draft_id=draft_id))


@blueprint.get("/forms/drafts/<uuid:draft_id>/samples/<uuid:sample_id>/pages/<int(max=999999):page_no>.webp")
@access("admin")
def form_sample_picture(draft_id: uuid.UUID, sample_id: uuid.UUID, page_no: int) -> ResponseReturnValue:
    sample = find_sample(get_context(), draft_id, sample_id)
    if sample.submission_id is not None:
        seen = Seen(submission_id=sample.submission_id)
        record_view(get_context(), get_person().id, SecurityEventKind.PAGES_VIEWED, seen)
    tag = f"{sample_id}-{page_no}"
    return picture(tag, lambda: sample_picture(get_context(), draft_id, sample, page_no))


def _shown(draft: DraftView, problem: str = "") -> str:
    offered = list_submissions(get_context(), get_person(), SubmissionFilter())
    return render_template(
        "admin/forms/samples.html",
        draft=draft,
        samples=[shown_sample(draft, row) for row in list_samples(get_context(), draft.id)],
        offered=offered.rows[:_OFFERED],
        most=MOST_SAMPLES,
        problem=problem,
    )
