"""Erase an entry: what goes, a typed confirmation, the receipt; and the export of all that is held of it."""

from __future__ import annotations

import uuid

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.labels import keys_of
from core.models import ErasureReason, SecurityEventKind
from services.entries.submission_detail import SubmissionDetail, submission_detail
from services.erasure.erase_submission import erase_submissions
from services.erasure.export_held import export_held
from services.erasure.find_held import find_held
from services.erasure.receipts import list_receipts
from services.erasure.receipts import receipt as one_receipt
from web.access import access
from web.context import get_context, get_person
from web.i18n import mark, translated
from web.security.confirmed import confirmed
from web.security.viewed import viewed
from web.submissions import blueprint
from web.told import typed_lines

_MISTYPED = mark("Type the code as shown, and choose a reason.")


@blueprint.get("/submissions/<uuid:submission_id>/erase")
@access("admin")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def erase_page(submission_id: uuid.UUID) -> ResponseReturnValue:
    return _preview(_seen(submission_id))


@blueprint.post("/submissions/<uuid:submission_id>/erase")
@access("admin")
@confirmed
def erase(submission_id: uuid.UUID) -> ResponseReturnValue:
    entry = _seen(submission_id)
    reason, typed = request.form.get("reason", ""), request.form.get("code", "").strip().lower()
    if reason not in keys_of(ErasureReason) or typed != code_of(submission_id):
        return _preview(entry, translated(_MISTYPED)), 400
    done = erase_submissions(get_context(), [submission_id], get_person().id, ErasureReason(reason))
    return redirect(url_for("submissions.receipt", erasure_id=done))


@blueprint.post("/submissions/<uuid:submission_id>/held.zip")
@access("admin")
@confirmed
def export(submission_id: uuid.UUID) -> ResponseReturnValue:
    _seen(submission_id)
    data = export_held(get_context(), submission_id, get_person().id)
    response = Response(data, content_type="application/zip")
    response.headers["Content-Disposition"] = f"attachment; filename=held-{code_of(submission_id)}.zip"
    return response


@blueprint.get("/erasures")
@access("overseer")
def receipts() -> ResponseReturnValue:
    return render_template("submissions/receipts.html", receipts=list_receipts(get_context()))


@blueprint.get("/erasures/<uuid:erasure_id>")
@access("overseer")
def receipt(erasure_id: uuid.UUID) -> ResponseReturnValue:
    return render_template("submissions/receipt.html", receipt=one_receipt(get_context(), erasure_id))


def code_of(submission_id: uuid.UUID) -> str:
    """Return what a person types to confirm: the beginning of the entry's id, which is no name."""
    return str(submission_id)[:8]


def _seen(submission_id: uuid.UUID) -> SubmissionDetail:
    return submission_detail(get_context(), get_person(), submission_id)


def _preview(entry: SubmissionDetail, problem: str = "") -> str:
    return render_template(
        "submissions/erase.html",
        entry=entry,
        held=find_held(get_context(), [entry.id]),
        reasons=[key for key in keys_of(ErasureReason) if key != ErasureReason.RETENTION],
        code=code_of(entry.id),
        problem=problem,
        typed=typed_lines(),
    )
