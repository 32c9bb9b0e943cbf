"""Upload files, type in entries by hand, and follow the progress of a batch."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from core.clock import utcnow
from core.config import Settings
from core.errors import ConflictError, InvalidInputError
from core.messages import keys_of
from pipeline.validate import DEFAULT_FIELDS, LANGUAGE
from services.batches.default_values import EssayLanguage, SaidOfBatch, preview_defaults
from services.batches.giving import apply_defaults, stop_defaults, undo_defaults
from services.batches.typed_in import (
    FIRST_VERSION,
    checked_received,
    form_to_type,
    receive_batch,
    type_in_submission,
    undo_type_in,
)
from services.entries.detail import submission_detail
from services.messages.entries import Refused, SplitRefused
from services.uploads.progress import batch_progress, recent_batches
from services.uploads.split import ROTATIONS, PlannedEntry, PlannedPage
from services.uploads.submit import (
    MOST,
    closed_season,
    current_season_name,
    expect_submissions,
    expected_number,
    submit_files,
)
from web.access import app_settings, get_context, get_person, wants_json, whole_number
from web.decision_pages import go_on, take_notice, version_of
from web.i18n import say, shown_again
from web.security.sent_form import sent_files
from web.submissions import blueprint
from web.templating import changing_part


@blueprint.get("/upload", "uploader")
def upload_page() -> ResponseReturnValue:
    settings = app_settings()
    return render_template(
        "submissions/upload.html",
        closed_season=closed_season(get_context()),
        batches=recent_batches(get_context(), get_person()).rows,
        max_bytes=settings.max_upload_bytes,
        max_request=settings.max_request_bytes,
        max_files=settings.max_files_per_upload,
        most_entries=MOST,
        season=current_season_name(get_context()),
        today=settings.office_day(utcnow()),
    )


@blueprint.post("/upload", "uploader")
def upload_files() -> ResponseReturnValue:
    expected = expected_number(request.form.get("expected_entries", ""))
    files = sent_files("files")
    batch_id = submit_files(
        get_context(),
        get_person().id,
        files,
        request.form.get("one_entry") == "yes",
        _batch_to_add_to(),
        batch_details(request.form, app_settings()),
    )
    if expected is not None:
        expect_submissions(get_context(), get_person(), batch_id, expected)
    page = url_for("submissions.batch", batch_id=batch_id)
    if wants_json():
        return jsonify(batch_id=str(batch_id), url=page), 201
    return redirect(page)


def _batch_to_add_to() -> uuid.UUID | None:
    """Return the batch to add to, which the page's script sends with every file after the first, or None."""
    text = request.form.get("batch_id")
    try:
        return uuid.UUID(text) if text else None
    except ValueError as exc:
        raise InvalidInputError(Refused.NO_SUCH_BATCH) from exc


# The page of a batch, with its progress.


@blueprint.get("/batches/<uuid:batch_id>", "signed_in")
def batch(batch_id: uuid.UUID) -> ResponseReturnValue:
    return render_template(
        "submissions/batch.html",
        batch=batch_progress(get_context(), get_person(), batch_id, request.args.get("page")),
        most_entries=MOST,
        take_notice=take_notice,
        today=app_settings().office_day(utcnow()),
    )


@blueprint.get("/batches/<uuid:batch_id>/progress", "signed_in")
def batch_progress_part(batch_id: uuid.UUID) -> ResponseReturnValue:
    progress = batch_progress(get_context(), get_person(), batch_id, request.args.get("page"))
    return changing_part(progress, "submissions/_progress.html", batch=progress)


@blueprint.post("/batches/<uuid:batch_id>/expected", "uploader")
def expect(batch_id: uuid.UUID) -> ResponseReturnValue:
    number = expected_number(request.form.get("expected_entries", ""))
    expect_submissions(get_context(), get_person(), batch_id, number)
    return redirect(url_for("submissions.batch", batch_id=batch_id))


@blueprint.post("/batches/<uuid:batch_id>/received", "uploader")
def batch_received(batch_id: uuid.UUID) -> ResponseReturnValue:
    receive_batch(get_context(), get_person(), batch_id, request.form.get("received_on", ""))
    flash(gettext("The date received was saved."), "success")
    return redirect(url_for("submissions.batch", batch_id=batch_id))


@blueprint.get("/batches", "uploader")
def batches() -> ResponseReturnValue:
    return redirect(url_for("submissions.upload_page"))


# The form of a split correction: for each page of each file, its entry, position and rotation.


#: Limit of the numbers in the form; no file has more pages, and no plan more entries.
_MOST = 1_000_000


@dataclass(frozen=True)
class SplitPlanForm:
    """The values of the form."""

    upload_ids: list[uuid.UUID]
    versions: dict[uuid.UUID, int]
    plan: list[PlannedEntry]


def split_plan_form(form: MultiDict[str, str]) -> SplitPlanForm:
    """Read the form. Entries and the pages in them are ordered by their numbers. Raises InvalidInputError."""
    upload_ids = [_id(text) for text in form.getlist("file")]
    placed: dict[int, list[tuple[int, PlannedPage]]] = {}
    for file, number in _pages(form):
        if file >= len(upload_ids) or f"out-{file}-{number}" in form:
            continue
        turned = _number(form, f"turn-{file}-{number}", number)
        if turned not in ROTATIONS:
            raise InvalidInputError(SplitRefused.TURN_UNKNOWN, page=number)
        entry = _number(form, f"entry-{file}-{number}", number)
        order = _number(form, f"order-{file}-{number}", number)
        placed.setdefault(entry, []).append((order, PlannedPage(upload_ids[file], number, turned)))
    plan = [
        PlannedEntry(tuple(page for _order, page in sorted(pages, key=lambda one: one[0])))
        for _entry, pages in sorted(placed.items())
    ]
    return SplitPlanForm(upload_ids, _versions(form), plan)


def _pages(form: MultiDict[str, str]) -> Iterator[tuple[int, int]]:
    for key in form:
        kind, _dash, rest = key.partition("-")
        file, _dash, number = rest.partition("-")
        if kind == "entry" and file.isdecimal() and number.isdecimal():
            yield whole_number(file), whole_number(number)


def _number(form: MultiDict[str, str], key: str, page: int) -> int:
    text = form.get(key, "").strip()
    if not text.isdecimal() or whole_number(text) > _MOST:
        raise InvalidInputError(SplitRefused.PLACE_UNKNOWN, page=page)
    return whole_number(text)


def _versions(form: MultiDict[str, str]) -> dict[uuid.UUID, int]:
    prefix = "version-"
    return {
        _id(key.removeprefix(prefix)): whole_number(text)
        for key, text in form.items()
        if key.startswith(prefix) and text.isdecimal()
    }


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as exc:
        raise InvalidInputError(Refused.FORM_INCOMPLETE) from exc


# Default values for a batch that has been read: preview, apply, undo.


#: Entries that the page shows.
SHOWN = 200


@blueprint.get("/batches/<uuid:batch_id>/defaults", "uploader")
def defaults_preview(batch_id: uuid.UUID, problem: str | None = None) -> str:
    context, person = get_context(), get_person()
    typed, planned, view = typed_defaults(request.values), None, None
    if problem is None:
        try:
            typed, planned, view = preview_defaults(context, person, batch_id, typed)
        except InvalidInputError as error:
            problem = say(error.told)
    changing = [one for one in planned or () if one.changes]
    return render_template(
        "submissions/defaults.html",
        batch_id=batch_id,
        view=view,
        given=typed,
        planned=planned,
        changing=changing,
        first=(changing + [one for one in planned or () if not one.changes])[:SHOWN],
        problem=problem,
    )


@blueprint.post("/batches/<uuid:batch_id>/defaults", "uploader")
@shown_again(defaults_preview)
def defaults_apply(batch_id: uuid.UUID) -> ResponseReturnValue:
    typed, version = typed_defaults(request.form), request.form.get("version", 0, type=whole_number)
    change_id = apply_defaults(get_context(), get_person(), batch_id, typed, version)
    undo = url_for("submissions.defaults_undo", batch_id=batch_id, change_id=change_id)
    sentence = gettext("The values were saved and are being filled in.")
    return go_on(url_for("submissions.batch", batch_id=batch_id), sentence, undo)


@blueprint.post("/batches/<uuid:batch_id>/defaults/<uuid:change_id>/undo", "uploader")
def defaults_undo(batch_id: uuid.UUID, change_id: uuid.UUID) -> ResponseReturnValue:
    undo_defaults(get_context(), get_person(), batch_id, change_id)
    flash(gettext("The values are being removed from the entries that have them."), "success")
    return redirect(url_for("submissions.batch", batch_id=batch_id))


@blueprint.post("/batches/<uuid:batch_id>/defaults/<uuid:change_id>/stop", "uploader")
def defaults_stop(batch_id: uuid.UUID, change_id: uuid.UUID) -> ResponseReturnValue:
    stop_defaults(get_context(), get_person(), batch_id, change_id)
    return redirect(url_for("submissions.batch", batch_id=batch_id))


# Type in an entry by hand, and undo it.


@blueprint.get("/submissions/typed-in", "reviewer")
def type_in_page(problem: str | None = None, typed: dict[str, str] | None = None) -> str:
    asked = form_to_type(
        get_context(),
        get_person(),
        request.values.get("form"),
        request.values.get("upload", type=uuid.UUID),
        request.values.get("batch", type=uuid.UUID),
    )
    return render_template(
        "submissions/typed_in.html",
        asked=asked,
        values=asked.values if typed is None else typed,
        received_on=request.values.get("received_on", ""),
        today=app_settings().office_day(utcnow()),
        problem=problem,
    )


@blueprint.post("/submissions/typed-in", "reviewer")
def type_in() -> ResponseReturnValue:
    form = request.form
    values = {
        name.removeprefix("value-"): value.replace("\r\n", "\n")
        for name, value in form.items()
        if name.startswith("value-")
    }
    try:
        made = type_in_submission(
            get_context(),
            get_person(),
            form.get("form", ""),
            values,
            form.get("received_on", ""),
            upload_id=form.get("upload", type=uuid.UUID),
            batch_id=form.get("batch", type=uuid.UUID),
        )
    except InvalidInputError as error:
        return type_in_page(problem=say(error.told), typed=values), error.http_status
    sentence = gettext("The entry was saved.")
    if made.missing:
        sentence = gettext("The entry was saved. It is waiting for a person because something is missing.")
    elif made.waits:
        sentence = gettext("The entry was saved. It is waiting for a person because it may be a duplicate.")
    return go_on(
        url_for("submissions.detail", submission_id=made.id),
        sentence,
        url_for("submissions.type_in_undo", submission_id=made.id),
    )


@blueprint.post("/submissions/<uuid:submission_id>/typed-in/undo", "reviewer")
def type_in_undo(submission_id: uuid.UUID) -> ResponseReturnValue:
    """Undo typing in: from the notice, which has no version, or from the entry's page with the version seen."""
    submission_detail(get_context(), get_person(), submission_id)
    version = version_of(request.form) if "version" in request.form else FIRST_VERSION
    try:
        batch_id = undo_type_in(get_context(), get_person(), submission_id, version)
    except ConflictError as error:
        flash(say(error.told), "problem")
        return redirect(url_for("submissions.detail", submission_id=submission_id))
    flash(gettext("Undone. What was typed is kept with the replaced entry."), "success")
    return redirect(url_for("submissions.batch", batch_id=batch_id))


# The details of a batch in a form: default values, and the day on which it was received.


#: Prefix of the names of default values, which keeps them apart from other fields of the form.
PREFIX = "default_"
KEYS = (*DEFAULT_FIELDS, LANGUAGE)


@blueprint.app_template_global()
def default_keys() -> tuple[str, ...]:
    """Return the keys of the values, in the order of the form."""
    return KEYS


@blueprint.app_template_global()
def essay_languages() -> tuple[str, ...]:
    """Return the keys of the languages that a person can choose for essays."""
    return tuple(keys_of(EssayLanguage))


def typed_defaults(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the values as typed, by their keys; empty ones are left out."""
    typed = {key: form.get(PREFIX + key, "").strip() for key in KEYS}
    return {key: value for key, value in typed.items() if value}


def batch_details(form: MultiDict[str, str], settings: Settings) -> SaidOfBatch:
    """Return the details of a new batch in a form. Raises InvalidInputError for an invalid day."""
    return SaidOfBatch(typed_defaults(form), checked_received(settings, form.get("received_on", "")))
