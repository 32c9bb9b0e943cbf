"""Pages on which a draft of a form is tried with samples."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError, NoFileError, NotFailedError
from core.models import SecurityEventKind
from services.entries.listing import SubmissionFilter, list_submissions
from services.event_log import ViewTarget, record_view
from services.form_studio.blank import sample_picture
from services.form_studio.draft import DraftView, find_draft, remove_sample
from services.form_studio.samples import (
    MOST_SAMPLES,
    ReadField,
    ReadForm,
    ReadPage,
    SampleView,
    add_samples,
    find_sample,
    list_samples,
    read_samples_again,
    retry_sample,
)
from services.pages import Document, PagePlace, PageView
from web.access import get_context, get_person
from web.admin import blueprint
from web.i18n import chosen_language, notice_of, shown_again
from web.labels import submission_field_label
from web.security.requests import picture
from web.security.sent_form import sent_files
from web.templating import Crop, changing_part, crop_of

#: Entries of the season that are offered as samples.
_OFFERED = 20


@blueprint.get("/forms/drafts/<uuid:draft_id>/samples", "admin")
def form_samples(draft_id: uuid.UUID) -> ResponseReturnValue:
    return _shown(find_draft(get_context(), draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/samples", "admin")
@shown_again(
    lambda draft_id, problem: _shown(find_draft(get_context(), draft_id), problem), InvalidInputError, NoFileError
)
def add_form_samples(draft_id: uuid.UUID) -> ResponseReturnValue:
    files = sent_files("files")
    chosen = request.form.getlist("submission", type=uuid.UUID)
    add_samples(get_context(), get_person().id, draft_id, files, chosen)
    return redirect(url_for("admin.form_samples", draft_id=draft_id))


@blueprint.get("/forms/drafts/<uuid:draft_id>/samples/state", "admin")
def form_samples_state(draft_id: uuid.UUID) -> ResponseReturnValue:
    draft, rows = find_draft(get_context(), draft_id), list_samples(get_context(), draft_id)
    state = draft.version, [(row.id, row.status, row.draft_version) for row in rows]
    samples = [shown_sample(draft, row) for row in rows]
    return changing_part(state, "admin/forms/_samples.html", draft=draft, samples=samples)


@blueprint.post("/forms/drafts/<uuid:draft_id>/samples/again", "admin")
def read_form_samples(draft_id: uuid.UUID) -> ResponseReturnValue:
    read_samples_again(get_context(), draft_id)
    return redirect(url_for("admin.form_samples", draft_id=draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/samples/<uuid:sample_id>/retry", "admin")
def retry_form_sample(draft_id: uuid.UUID, sample_id: uuid.UUID) -> ResponseReturnValue:
    find_sample(get_context(), draft_id, sample_id)
    with notice_of(NotFailedError):
        retry_sample(get_context(), sample_id)
    return redirect(url_for("admin.form_samples", draft_id=draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/samples/<uuid:sample_id>/remove", "admin")
def remove_form_sample(draft_id: uuid.UUID, sample_id: uuid.UUID) -> ResponseReturnValue:
    remove_sample(get_context(), draft_id, sample_id)
    flash(gettext("The sample was removed."), "success")
    return redirect(url_for("admin.form_samples", draft_id=draft_id))


@blueprint.get(
    "/forms/drafts/<uuid:draft_id>/samples/<uuid:sample_id>/pages/<int(max=999999):page_no>.webp", "admin"
)
def form_sample_picture(draft_id: uuid.UUID, sample_id: uuid.UUID, page_no: int) -> ResponseReturnValue:
    sample = find_sample(get_context(), draft_id, sample_id)
    if sample.submission_id is not None:
        seen = ViewTarget(submission_id=sample.submission_id)
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


# A sample as its page shows it: the pages with boxes, and the fields with what was read.


@dataclass(frozen=True)
class ShownField:
    """One field of a filled form."""

    name: str
    label: str
    required: bool
    value: str | None
    confidence: float
    places: list[PagePlace]
    #: The part of the page with the value, None where there is none or it is too large.
    crop: Crop | None


@dataclass(frozen=True)
class ShownForm:
    """One filled form of a sample."""

    #: Whether its page was recognised as the form of the draft; `profile` is what it was recognised as.
    recognised: bool
    profile: str
    pages: list[ReadPage]
    fields: list[ShownField]
    #: Numbers of the fields that are required, and of those with a value.
    required: int
    given: int


@dataclass(frozen=True)
class ShownSample:
    """One sample."""

    row: SampleView
    forms: list[ShownForm]
    #: Whether the draft was changed since it was read.
    outdated: bool


def shown_sample(draft: DraftView, row: SampleView) -> ShownSample:
    """Return what the page shows of a sample."""
    forms = [] if row.result is None else [_form(draft, row, one) for one in row.result.forms]
    return ShownSample(row, forms, row.result is not None and row.draft_version != draft.version)


def _form(draft: DraftView, row: SampleView, form: ReadForm) -> ShownForm:
    assert row.result is not None
    pages = [page for page in row.result.pages if form.page_start <= page.number <= form.page_end]
    document = Document(
        row.id, row.filename, [PageView(page.number, page.width, page.height, "") for page in pages]
    )
    labels = _labels(draft)
    must = {field.key for field in draft.marks.fields if field.required} if draft.marks else set()
    fields = [_field(one, labels, must, document) for one in form.fields]
    return ShownForm(
        recognised=bool(draft.marks) and form.profile == (draft.marks.key if draft.marks else ""),
        profile=form.profile,
        pages=pages,
        fields=fields,
        required=sum(one.required for one in fields),
        given=sum(one.required and bool(one.value) for one in fields),
    )


def _field(one: ReadField, labels: dict[str, str], required: set[str], document: Document) -> ShownField:
    places = [PagePlace(place.page, *place.box) for place in one.places]
    return ShownField(
        name=one.name,
        label=labels.get(one.name) or submission_field_label(one.name),
        required=one.name in required,
        value=one.value,
        confidence=one.confidence,
        places=places,
        crop=crop_of(document, places),
    )


def _labels(draft: DraftView) -> dict[str, str]:
    """Return {key: what the draft calls the field} in the language of the request."""
    if draft.marks is None:
        return {}
    spanish = chosen_language() == "es"
    return {one.key: (one.label_es if spanish else "") or one.label_en for one in draft.marks.fields}
