"""The page to upload files."""

from __future__ import annotations

import uuid

from flask import jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.clock import utcnow
from core.errors import InvalidInputError
from services.messages.refused import Refused
from services.uploads.expect_submissions import MOST, expect_submissions, expected_number
from services.uploads.recent_batches import recent_batches
from services.uploads.submit_files import closed_season, current_season_name, submit_files
from web.access import access
from web.context import get_context, get_person, get_settings
from web.negotiation import wants_json
from web.security.sent_form import sent_files
from web.submissions import blueprint
from web.submissions.said import said_in


@blueprint.get("/upload")
@access("uploader")
def upload_page() -> ResponseReturnValue:
    settings = get_settings()
    return render_template(
        "submissions/upload.html",
        closed_season=closed_season(get_context()),
        batches=recent_batches(get_context(), get_person()),
        max_bytes=settings.max_upload_bytes,
        max_files=settings.max_files_per_upload,
        most_entries=MOST,
        season=current_season_name(get_context()),
        today=settings.office_day(utcnow()),
    )


@blueprint.post("/upload")
@access("uploader")
def upload_files() -> ResponseReturnValue:
    expected = expected_number(request.form.get("expected_entries", ""))
    files = sent_files("files")
    batch_id = submit_files(
        get_context(),
        get_person().id,
        files,
        request.form.get("one_entry") == "yes",
        _batch_to_add_to(),
        said_in(request.form, get_settings()),
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
