"""The list of entries; its filters live in the URL."""

from __future__ import annotations

import uuid

from flask import render_template, request
from flask.typing import ResponseReturnValue

from core.labels import keys_of
from core.models import SubmissionStatus
from services.entries.list_submissions import SubmissionFilter, list_submissions
from web.access import access
from web.context import get_context, get_person
from web.reasons import reason_options
from web.submissions import blueprint


@blueprint.get("/submissions")
@access("signed_in")
def index() -> ResponseReturnValue:
    wanted = _filter()
    page = list_submissions(get_context(), get_person(), wanted, request.args.get("page"))
    return render_template(
        "submissions/index.html",
        page=page,
        wanted=wanted,
        narrowed=wanted != SubmissionFilter(),
        filters={key: value for key, value in request.args.items() if key != "page" and value},
        reasons=reason_options(),
    )


def _filter() -> SubmissionFilter:
    """Read the filter from the URL; invalid values are ignored."""
    args = request.args
    return SubmissionFilter(
        status=args.get("status") if args.get("status") in keys_of(SubmissionStatus) else None,
        reason=args.get("reason") or None,
        school=(args.get("school") or "").strip() or None,
        grade=args.get("grade") or None,
        batch_id=args.get("batch", type=uuid.UUID),
        needs_review={"yes": True, "no": False}.get(args.get("needs_review", "")),
        text=(args.get("q") or "").strip()[:200] or None,
    )
