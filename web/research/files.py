"""Files of a report, and a person's own document made of its passages."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection
from contextlib import suppress

from flask import Response, abort, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markupsafe import Markup

from core.errors import InvalidInputError, NotFoundError
from core.models import ExportStatus
from research.exports.formats import EXPORT_FORMATS
from services.reports.files import (
    LONGEST_NOTE,
    VersionFile,
    drop_passage,
    move_passage,
    own_document,
    own_file,
    remove_version_file,
    take_passage,
    version_file,
    write_note,
)
from web.access import get_context, get_person, whole_number
from web.labels import problem_sentence
from web.office.exports import sent
from web.research import blueprint
from web.templating import changing_part

#: Seconds after which a program may ask again for a file that is being made.
RETRY_AFTER = 2
#: What the names of notes begin with in the form of the own document.
_NOTE = "note-"


@blueprint.get("/<uuid:report_id>/export/<export_format>", "report_reader")
def export(report_id: uuid.UUID, export_format: str) -> ResponseReturnValue:
    """Send the file; while it is being made, or if that failed, answer 202 with a page that says so."""
    file = _asked(report_id, export_format)
    if file.status is ExportStatus.DONE:
        return sent(file, file.content_type)
    return not_ready(render_template("research/export.html", file=file), file)


def not_ready(body: str, file: VersionFile) -> Response:
    """Return a 202 answer with `body`; while the file is being made, it says when to ask again."""
    response = make_response(body, 202)
    if file.working:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/<uuid:report_id>/export/<export_format>/progress", "report_reader")
def export_progress_part(report_id: uuid.UUID, export_format: str) -> ResponseReturnValue:
    file = _asked(report_id, export_format)
    return changing_part(f"{file.id}-{file.status.value}", "research/_export.html", file=file)


@blueprint.post("/<uuid:report_id>/export/<export_format>/remove", "report_reader")
def remove_export(report_id: uuid.UUID, export_format: str) -> ResponseReturnValue:
    """Stop an export that is no longer needed, or remove one that failed."""
    version_no = request.args.get("version", type=whole_number)
    if version_no is None and not _of_own():
        raise NotFoundError("no version named")
    remove_version_file(get_context(), get_person().id, report_id, export_format, version_no)
    flash(_("The file is not made any more."), "success")
    if version_no is None:
        return redirect(url_for("research.own", report_id=report_id))
    return redirect(url_for("research.report", report_id=report_id, version=version_no))


def _of_own() -> bool:
    return request.args.get("own") == "yes"


def _asked(report_id: uuid.UUID, export_format: str) -> VersionFile:
    if export_format not in EXPORT_FORMATS:
        abort(404)
    if _of_own():
        return own_file(get_context(), get_person().id, report_id, export_format)
    version_no = request.args.get("version", type=whole_number)
    return version_file(get_context(), get_person().id, report_id, export_format, version_no)


# A person's own document: passages picked from a reading list, ordered, annotated and exported.


#: Export formats offered on its page.
FORMATS = ("docx", "markdown")
_STEPS = {"up": -1, "down": 1}
_QUOTE, _QUOTE_END = "<blockquote>", "</blockquote>"
#: Matches the claim of a marker.
_CLAIM = re.compile(r'data-claim="([\w-]+)')


@blueprint.get("/<uuid:report_id>/own", "report_reader")
def own(report_id: uuid.UUID) -> ResponseReturnValue:
    found = own_document(get_context(), report_id, get_person().id)
    return render_template("research/own.html", own=found, formats=FORMATS, longest=LONGEST_NOTE)


@blueprint.post("/<uuid:report_id>/own/<claim_id>/take", "report_reader")
def take(report_id: uuid.UUID, claim_id: str) -> ResponseReturnValue:
    try:
        take_passage(get_context(), report_id, get_person().id, claim_id)
    except InvalidInputError as error:
        flash(problem_sentence(error), "problem")
    return redirect(f"{url_for('research.report', report_id=report_id)}#passage-{claim_id}")


@blueprint.post("/<uuid:report_id>/own/<claim_id>/drop", "report_reader")
def drop(report_id: uuid.UUID, claim_id: str) -> ResponseReturnValue:
    _save_notes(report_id)
    drop_passage(get_context(), report_id, get_person().id, claim_id)
    if request.form.get("from") == "report":
        return redirect(f"{url_for('research.report', report_id=report_id)}#passage-{claim_id}")
    return redirect(url_for("research.own", report_id=report_id))


@blueprint.post("/<uuid:report_id>/own/<claim_id>/note", "report_reader")
def note(report_id: uuid.UUID, claim_id: str) -> ResponseReturnValue:
    """Save the notes of all passages, and move this one for "move"."""
    try:
        _save_notes(report_id)
        if step := _STEPS.get(request.form.get("move", "")):
            move_passage(get_context(), report_id, get_person().id, claim_id, step)
        else:
            flash(_("The notes are saved."), "success")
    except InvalidInputError as error:
        flash(problem_sentence(error), "problem")
    return redirect(f"{url_for('research.own', report_id=report_id)}#passage-{claim_id}")


def _save_notes(report_id: uuid.UUID) -> None:
    """Save "note-<passage>" for all passages that are still in the document. Raises InvalidInputError."""
    for name, text in request.form.items():
        if name.startswith(_NOTE):
            with suppress(NotFoundError):
                write_note(get_context(), report_id, get_person().id, name.removeprefix(_NOTE), text)


def with_takes(html: Markup, report_id: uuid.UUID, taken: Collection[str]) -> Markup:
    """Return the HTML of a reading list with a button below each passage to take it or put it back."""

    def offered(piece: str) -> str:
        quote, end, after = piece.partition(_QUOTE_END)
        found = _CLAIM.search(quote) if end else None
        if found is None:
            return _QUOTE + piece
        claim = found[1]
        button = render_template("research/_take.html", report_id=report_id, claim=claim, is_taken=claim in taken)
        return f'<blockquote id="passage-{claim}">{quote}{_QUOTE_END}{button}{after}'

    before, *pieces = html.split(_QUOTE)
    # The HTML between quotations is unchanged, and the template escapes its values.
    return Markup("".join((before, *map(offered, pieces))))  # nosec B704
