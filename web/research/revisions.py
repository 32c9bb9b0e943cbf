"""The page of one revision: its changes, reasons and sources; hold, accept, edit or reject it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markupsafe import Markup, escape

from core.errors import AppError, ConflictError, DocumentError, InvalidInputError
from research.document import MARKER, ReportDocument, Section
from services.supervision.documents import editable_markdown, may_edit_whole
from services.supervision.request import SupervisionCode
from services.supervision.revisions import RevisionDetail, decide_revision, quoted_sources, revision_detail
from web.access import get_context, get_person, wants_json
from web.decision_pages import (
    REVISION_BINDINGS,
    go_on,
    next_revision_url,
    offer_holds,
    open_at,
    take_notice,
    version_of,
)
from web.differences import DocumentDiff, document_diff
from web.labels import problem_sentence
from web.research import blueprint

VIEWS = ("inline", "side")


@blueprint.get("/revisions/<uuid:revision_id>", "report_reader")
def revision(revision_id: uuid.UUID) -> ResponseReturnValue:
    return _page(revision_detail(get_context(), revision_id), request.args)


@blueprint.post("/revisions/<uuid:revision_id>", "researcher")
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
        return _("Rejected. The supervision will not come back to this gap.")
    if decided == "edited":
        return _("Accepted with your changes as a new version.")
    return _("Accepted as a new version.")


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
        problem=problem_sentence(problem) if problem else None,
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


offer_holds(
    blueprint,
    "revision",
    "researcher",
    "/revisions/<uuid:revision_id>",
    partial(url_for, "research.revision"),
    next_revision_url,
)


# Text of a compared document, with citation markers as links to the quoted passages.


_MARKER = re.compile(MARKER)


@blueprint.app_template_filter("with_markers")
def with_markers(text: str, report_id: uuid.UUID, revision_id: uuid.UUID | None = None) -> Markup:
    """Return the escaped text with each `[@key#claim]` as a link that shows the key."""
    made, place = Markup(), 0
    for found in _MARKER.finditer(text):
        url = url_for(
            "research.source", report_id=report_id, key=found["key"], claim=found["claim"], revision=revision_id
        )
        claim = Markup(' data-claim="{}"').format(found["claim"]) if found["claim"] else ""
        link = Markup('<a class="cite" href="{}" data-key="{}"{}>[{}]</a>')
        made += escape(text[place : found.start()]) + link.format(url, found["key"], claim, found["key"])
        place = found.end()
    return made + escape(text[place:])


# The form to accept, edit or reject a revision; the edited text becomes one Markdown document.


Decided = Literal["accepted", "edited", "rejected"]
_DECIDED: dict[str, Decided] = {"accept": "accepted", "edit": "edited", "reject": "rejected"}
#: Name of the input with the whole document.
WHOLE = "document"
_SECTION = "section-"


@dataclass(frozen=True)
class DecisionForm:
    """The decision sent with the form."""

    decided: Decided
    #: The whole document, with markers by key; None unless it was edited.
    markdown: str | None
    reason: str | None


@dataclass(frozen=True)
class EditedText:
    """One input of the form."""

    name: str
    heading: str
    text: str


def answer_of(form: Mapping[str, str], proposed: ReportDocument) -> DecisionForm:
    """Return the decision. Raises InvalidInputError without one, or if it does not match the edited text."""
    decided = _DECIDED.get(form.get("decide", ""))
    if decided is None:
        raise InvalidInputError(SupervisionCode.FORM_INCOMPLETE)
    markdown = edited_markdown(form, proposed)
    if decided == "accepted" and markdown is not None:
        raise InvalidInputError(SupervisionCode.TEXT_CHANGED)
    if decided == "edited" and markdown is None:
        raise InvalidInputError(SupervisionCode.TEXT_UNCHANGED)
    return DecisionForm(decided, markdown if decided == "edited" else None, form.get("reason", "").strip() or None)


def edited_markdown(form: Mapping[str, str], proposed: ReportDocument) -> str | None:
    """Return the typed document as Markdown; None if it equals the proposed one."""
    if (whole := form.get(WHOLE)) is not None:
        typed = _lines(whole)
        return None if typed.strip() == editable_markdown(proposed).strip() else typed
    sections = tuple(_typed_section(form, section) for section in proposed.sections)
    if sections == proposed.sections:
        return None
    return editable_markdown(proposed.model_copy(update={"sections": sections}))


def section_input(section: Section) -> str:
    return f"{_SECTION}{section.key}"


def _typed_section(form: Mapping[str, str], section: Section) -> Section:
    typed = form.get(section_input(section))
    if typed is None or _lines(typed).strip() == section.body.strip():
        return section
    return section.model_copy(update={"body": _lines(typed).strip()})


def _lines(text: str) -> str:
    """Replace CRLF, which browsers send as line ends, by LF."""
    return text.replace("\r\n", "\n")
