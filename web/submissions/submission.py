"""One entry: its page, record, essay and files; erase it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from flask import Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from core.errors import ConflictError, InvalidInputError
from core.messages import keys_of
from core.models import ErasureReason, SecurityEventKind
from services.batches.typed_in import receive_submission
from services.entries.change import edit_record
from services.entries.detail import SubmissionDetail, submission_detail, surroundings_of
from services.entries.essay import EssayPage, correct_essay, essay_page
from services.erasure.erase import erase_submissions
from services.erasure.held_export import erasure_receipt, export_held, find_held, list_receipts, with_namesakes
from services.event_log import viewers_of
from services.pages import PagePlace, original_file, original_link, page_image, page_words
from services.review.item import ReadingChoices, reading_choices
from services.review.undo import reopen_record
from services.runs.settle import retry_run
from services.uploads.contents import require_visible_upload, retry_upload
from web.access import app_settings, get_context, get_person, whole_number
from web.decision_pages import go_on, take_notice, version_of
from web.i18n import mark, say, translated
from web.labels import DERIVED_FIELDS, typed_lines
from web.security.requests import own_path, picture, redirect_to_file_store, sent_as_download, unless_known, viewed
from web.security.sign_in_guard import recently_confirmed
from web.submissions import blueprint
from web.templating import line_crop

# Edit a value on the page of an entry, or reopen the entry.


@blueprint.app_template_global()
def reading_options() -> ReadingChoices:
    return reading_choices(app_settings())


@blueprint.post("/submissions/<uuid:submission_id>/fields/<name>", "reviewer")
def edit_field(submission_id: uuid.UUID, name: str) -> ResponseReturnValue:
    """Save one typed value; a refused one is shown again with the reason."""
    context, person, form = get_context(), get_person(), request.form
    entry = submission_detail(context, person, submission_id)
    if name in DERIVED_FIELDS or f"value-{name}" not in form:
        abort(404)
    value = form[f"value-{name}"].replace("\r\n", "\n")
    reason = form.get("reason", "").strip() or None
    try:
        edited = edit_record(context, person.id, submission_id, version_of(form), {name: value}, reason)
    except (ConflictError, InvalidInputError) as error:
        return entry_page(entry, problem=say(error.told), typed=form, edited=name), error.http_status
    return go_on(
        url_for("submissions.detail", submission_id=submission_id),
        gettext("The value was saved."),
        url_for("review.undo", decision_id=edited.decision_id),
    )


@blueprint.post("/submissions/<uuid:submission_id>/received", "reviewer")
def received(submission_id: uuid.UUID) -> ResponseReturnValue:
    """Save the day on which the entry was received, which decides whether it met the deadline."""
    receive_submission(get_context(), get_person(), submission_id, request.form.get("received_on", ""))
    flash(gettext("The date received was saved."), "success")
    return redirect(url_for("submissions.detail", submission_id=submission_id))


@blueprint.post("/submissions/<uuid:submission_id>/reopen", "reviewer")
def reopen(submission_id: uuid.UUID) -> ResponseReturnValue:
    """Reopen a settled entry; its page then offers to settle it or to read it again."""
    submission_detail(get_context(), get_person(), submission_id)
    reason = request.form.get("reason", "").strip() or None
    reopen_record(get_context(), get_person().id, submission_id, version_of(request.form), reason)
    flash(gettext("The entry is waiting for a person again."), "success")
    return redirect(url_for("submissions.detail", submission_id=submission_id))


# Correct an essay line by line beside its scanned pages.


blueprint.add_app_template_global(line_crop)


@dataclass(frozen=True)
class LineToShow:
    """One line with the places that the page viewer highlights."""

    name: str
    places: list[PagePlace]


@blueprint.get("/submissions/<uuid:submission_id>/essay", "reviewer")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def essay(submission_id: uuid.UUID) -> ResponseReturnValue:
    return _page(essay_page(get_context(), get_person(), submission_id))


@blueprint.post("/submissions/<uuid:submission_id>/essay", "reviewer")
def save_essay(submission_id: uuid.UUID) -> ResponseReturnValue:
    """Save the lines, or show the form again with a line added or removed; typed text is always kept."""
    form = request.form
    shown = essay_page(get_context(), get_person(), submission_id)
    lines = edited_lines(form)
    if "add" in form or "remove" in form:
        return _page(shown.typed(lines), version_of(form))
    try:
        version, reason = version_of(form), form.get("reason", "").strip() or None
        edited = correct_essay(get_context(), get_person().id, submission_id, version, lines, reason)
    except ConflictError as error:
        # With the present version, so that sending again overwrites it: the person has now seen the present text.
        page = _page(shown.typed(lines), shown.entry.version, say(error.told), stands=shown.text)
        return page, error.http_status
    except InvalidInputError as error:
        return _page(shown.typed(lines), version_of(form), say(error.told)), error.http_status
    return go_on(
        url_for("submissions.detail", submission_id=submission_id),
        gettext("The essay was saved."),
        url_for("review.undo", decision_id=edited.decision_id),
    )


def edited_lines(form: MultiDict[str, str]) -> list[str]:
    """Return the typed lines; "add" inserts an empty one after the line with its index, "remove" deletes one."""
    typed = [text.replace("\r\n", "\n") for text in form.getlist("line")]
    if (index := form.get("remove", type=whole_number)) is not None and 0 <= index < len(typed):
        del typed[index]
    if (index := form.get("add", type=whole_number)) is not None:
        typed.insert(index + 1, "")
    return [line for text in typed for line in text.split("\n")]


def _page(
    shown: EssayPage, version: int | None = None, problem: str | None = None, stands: str | None = None
) -> str:
    return render_template(
        "submissions/essay.html",
        essay=shown,
        entry=shown.entry,
        version=shown.entry.version if version is None else version,
        problem=problem,
        stands=stands,
        reason=request.form.get("reason", ""),
        places=[
            LineToShow(f"line_{number}", [line.place]) for number, line in enumerate(shown.lines) if line.place
        ],
    )


# Original files, and pictures and words of their pages.


_DEFAULT_WIDTH = 1200


@blueprint.get("/uploads/<uuid:upload_id>/original", "signed_in")
@viewed(SecurityEventKind.ORIGINAL_DOWNLOADED)
def original(upload_id: uuid.UUID) -> ResponseReturnValue:
    """Return the original file as a download; the browser must not display it.

    If the file store serves files itself, redirect to it.
    """
    require_visible_upload(get_context(), get_person(), upload_id)
    link = original_link(get_context(), upload_id)
    if link is not None:
        return redirect_to_file_store(link)
    return sent_as_download(*original_file(get_context(), upload_id))


@blueprint.get("/uploads/<uuid:upload_id>/pages/<int(max=999999):page_no>.webp", "signed_in")
@viewed(SecurityEventKind.PAGES_VIEWED)
def page_picture(upload_id: uuid.UUID, page_no: int) -> ResponseReturnValue:
    require_visible_upload(get_context(), get_person(), upload_id)
    width = request.args.get("w", _DEFAULT_WIDTH, type=whole_number)
    return picture(f"{upload_id}-{page_no}-{width}", lambda: page_image(get_context(), upload_id, page_no, width))


@blueprint.get("/uploads/<uuid:upload_id>/pages/<int(max=999999):page_no>/words.json", "signed_in")
@viewed(SecurityEventKind.PAGES_VIEWED)
def page_text(upload_id: uuid.UUID, page_no: int) -> ResponseReturnValue:
    """Return the words of a page with their places, for the text layer over its picture."""
    require_visible_upload(get_context(), get_person(), upload_id)
    body = page_words(get_context(), upload_id, page_no).as_json()
    return unless_known(body, lambda: Response(body, content_type="application/json"))


@blueprint.post("/uploads/<uuid:upload_id>/retry", "uploader")
def retry_file(upload_id: uuid.UUID) -> ResponseReturnValue:
    require_visible_upload(get_context(), get_person(), upload_id)
    retry_upload(get_context(), get_person().id, upload_id)
    flash(gettext("The file is being read again."), "success")
    return redirect(own_path(request.form.get("next"), url_for("submissions.upload_page")))


# Erase an entry: preview, typed confirmation, receipt; and export all data about it.


_MISTYPED = mark("Type the code as shown, and choose a reason.")


@blueprint.get("/submissions/<uuid:submission_id>/erase", "admin")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def erase_page(submission_id: uuid.UUID) -> ResponseReturnValue:
    return _preview(submission_id)


@blueprint.post("/submissions/<uuid:submission_id>/erase", "admin")
@recently_confirmed
def erase(submission_id: uuid.UUID) -> ResponseReturnValue:
    reason, typed = request.form.get("reason", ""), request.form.get("code", "").strip().lower()
    if reason not in keys_of(ErasureReason) or typed != confirmation_code(submission_id):
        return _preview(submission_id, translated(_MISTYPED)), 400
    done = erase_submissions(get_context(), [submission_id], get_person().id, ErasureReason(reason))
    return redirect(url_for("submissions.receipt", erasure_id=done))


@blueprint.post("/submissions/<uuid:submission_id>/held.zip", "admin")
@recently_confirmed
def export(submission_id: uuid.UUID) -> ResponseReturnValue:
    data = export_held(get_context(), submission_id, get_person().id)
    response = Response(data, content_type="application/zip")
    response.headers["Content-Disposition"] = f"attachment; filename=held-{confirmation_code(submission_id)}.zip"
    return response


@blueprint.get("/erasures", "overseer")
def receipts() -> ResponseReturnValue:
    page = list_receipts(get_context(), request.args.get("page"))
    return render_template("submissions/receipts.html", page=page)


@blueprint.get("/erasures/<uuid:erasure_id>", "overseer")
def receipt(erasure_id: uuid.UUID) -> ResponseReturnValue:
    return render_template("submissions/receipt.html", receipt=erasure_receipt(get_context(), erasure_id))


def confirmation_code(submission_id: uuid.UUID) -> str:
    """Return the code to type as confirmation: the beginning of the entry's id, which is not personal data."""
    return str(submission_id)[:8]


def _preview(submission_id: uuid.UUID, problem: str = "") -> str:
    held = find_held(get_context(), [submission_id])
    [entry], namesakes = with_namesakes(get_context(), held.scope)
    return render_template(
        "submissions/erase.html",
        entry=entry,
        held=held,
        namesakes=namesakes,
        reasons=[key for key in keys_of(ErasureReason) if key != ErasureReason.RETENTION],
        code=confirmation_code(submission_id),
        problem=problem,
        typed=typed_lines(),
    )


# The page of one entry, and the retry of a failed one.


@blueprint.get("/submissions/<uuid:submission_id>", "signed_in")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def detail(submission_id: uuid.UUID) -> ResponseReturnValue:
    return entry_page(submission_detail(get_context(), get_person(), submission_id))


def entry_page(entry: SubmissionDetail, **refused: object) -> str:
    """Render the page. `refused` describes a refused value: `problem`, `typed` and the `edited` field."""
    return render_template(
        "submissions/detail.html",
        entry=entry,
        around=surroundings_of(get_context(), get_person(), entry, request.args.get("page")),
        viewers=viewers_of(get_context(), entry.id) if get_person().role.oversees else [],
        take_notice=take_notice,
        **refused,
    )


@blueprint.post("/submissions/<uuid:submission_id>/retry", "uploader")
def retry(submission_id: uuid.UUID) -> ResponseReturnValue:
    submission_detail(get_context(), get_person(), submission_id)
    retry_run(get_context(), get_person().id, submission_id)
    flash(gettext("The entry is being read again."), "success")
    page = url_for("submissions.detail", submission_id=submission_id)
    return redirect(own_path(request.form.get("next"), page))
