"""The page of one revision: its changes, reasons and sources; accept, edit or reject it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import AppError, ConflictError, DocumentError, InvalidInputError
from research.document import ReportDocument
from services.supervision.codes import SupervisionCode
from services.supervision.decide_revision import decide_revision
from services.supervision.edited_document import editable_markdown, may_edit_whole
from services.supervision.revision_detail import RevisionDetail, quoted_sources, revision_detail
from web.access import access
from web.context import get_context, get_person
from web.desk.holds import open_at
from web.desk.keymap import REVISION_BINDINGS
from web.desk.next_revision import next_revision_url
from web.desk.notices import go_on, take_notice
from web.desk.version import version_of
from web.differences.document_diff import DocumentDiff, document_diff
from web.negotiation import wants_json
from web.research import blueprint
from web.research.supervision.revision_form import WHOLE, Decided, EditedText, answer_of, section_input
from web.told import told

VIEWS = ("inline", "side")


@blueprint.get("/revisions/<uuid:revision_id>")
@access("report_reader")
def revision(revision_id: uuid.UUID) -> ResponseReturnValue:
    return _page(revision_detail(get_context(), revision_id), request.args)


@blueprint.post("/revisions/<uuid:revision_id>")
@access("researcher")
def decide_one_revision(revision_id: uuid.UUID) -> ResponseReturnValue:
    """Decide the revision; a refused decision is shown again as it was typed, with the reason."""
    context, form = get_context(), request.form
    detail = revision_detail(context, revision_id)
    try:
        if not detail.pending:
            # Before the form is validated: its values no longer matter.
            raise ConflictError(SupervisionCode.DECIDED_ALREADY, who=detail.decided_by)
        answer = answer_of(form, detail.proposed or detail.before)
        decide_revision(
            context,
            get_person().id,
            revision_id,
            version_of(form),
            answer.decided,
            edited_markdown=answer.markdown,
            reason=answer.reason,
        )
    except (ConflictError, InvalidInputError, DocumentError) as error:
        if wants_json():
            raise
        return _page(revision_detail(context, revision_id), request.args, error), error.http_status
    return go_on(next_revision_url(revision_id) or _queue_done(), _became(answer.decided), None)


def _queue_done() -> str:
    return url_for("review.report_revisions", done=1)


def _became(decided: Decided) -> str:
    if decided == "rejected":
        return _("Rejected. The supervision continues and will not come back to this gap.")
    if decided == "edited":
        return _("Accepted with your changes as a new version. The supervision continues from it.")
    return _("Accepted as a new version. The supervision continues from it.")


def _page(detail: RevisionDetail, args: Mapping[str, str], problem: AppError | None = None) -> str:
    person, after = get_person(), detail.after
    diff = document_diff(detail.before, after) if after else None
    held = None
    if detail.held_by and detail.held_until and detail.held_by_id != person.id:
        held = open_at(detail.held_by, detail.held_until)
    whole = args.get("edit") == WHOLE and detail.proposed is not None and may_edit_whole(detail.proposed)
    return render_template(
        "research/revision.html",
        item=detail,
        diff=diff,
        view=args.get("view") if args.get("view") in VIEWS else VIEWS[0],
        quoted=quoted_sources(get_context(), detail),
        may_decide=person.role.may_research and detail.pending,
        held=held,
        whole=whole,
        may_edit_whole=detail.proposed is not None and may_edit_whole(detail.proposed),
        inputs=_inputs(detail.proposed, diff, whole),
        typed=request.form if problem else {},
        problem=told(problem) if problem else None,
        lost=isinstance(problem, ConflictError),
        next_url=next_revision_url(detail.id),
        previous_url=next_revision_url(detail.id, backwards=True),
        bindings=REVISION_BINDINGS,
        take_notice=take_notice,
    )


def _inputs(proposed: ReportDocument | None, diff: DocumentDiff | None, whole: bool) -> list[EditedText]:
    """Return the texts that can be edited: the sections that the revision changed, or the whole document."""
    if proposed is None or diff is None:
        return []
    if whole:
        return [EditedText(WHOLE, proposed.title, editable_markdown(proposed))]
    changed = {one.key for one in diff.changed}
    return [
        EditedText(section_input(section), section.heading, section.body)
        for section in proposed.sections
        if section.key in changed
    ]
