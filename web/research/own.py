"""A document of a person's own: passages of a reading list, taken with a click, ordered, noted and exported."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markupsafe import Markup

from core.errors import InvalidInputError
from services.reports.own_document import (
    LONGEST_NOTE,
    drop_passage,
    move_passage,
    own_document,
    take_passage,
    write_note,
)
from web.access import access
from web.context import get_context, get_person
from web.research import blueprint
from web.told import told

#: The formats that its page offers.
FORMATS = ("docx", "markdown")
_STEPS = {"up": -1, "down": 1}
_QUOTE, _QUOTE_END = "<blockquote>", "</blockquote>"
#: The claim of a marker.
_CLAIM = re.compile(r'data-claim="([\w-]+)')


@blueprint.get("/<uuid:report_id>/own")
@access("report_reader")
def own(report_id: uuid.UUID) -> ResponseReturnValue:
    found = own_document(get_context(), report_id, get_person().id)
    return render_template("research/own.html", own=found, formats=FORMATS, longest=LONGEST_NOTE)


@blueprint.post("/<uuid:report_id>/own/<claim_id>/take")
@access("report_reader")
def take(report_id: uuid.UUID, claim_id: str) -> ResponseReturnValue:
    try:
        take_passage(get_context(), report_id, get_person().id, claim_id)
    except InvalidInputError as error:
        flash(told(error), "problem")
    return redirect(f"{url_for('research.report', report_id=report_id)}#passage-{claim_id}")


@blueprint.post("/<uuid:report_id>/own/<claim_id>/drop")
@access("report_reader")
def drop(report_id: uuid.UUID, claim_id: str) -> ResponseReturnValue:
    drop_passage(get_context(), report_id, get_person().id, claim_id)
    if request.form.get("from") == "report":
        return redirect(f"{url_for('research.report', report_id=report_id)}#passage-{claim_id}")
    return redirect(url_for("research.own", report_id=report_id))


@blueprint.post("/<uuid:report_id>/own/<claim_id>/note")
@access("report_reader")
def note(report_id: uuid.UUID, claim_id: str) -> ResponseReturnValue:
    """Keep the note; "move" also moves the passage, so that nothing typed is lost."""
    try:
        write_note(get_context(), report_id, get_person().id, claim_id, request.form.get("note", ""))
        if step := _STEPS.get(request.form.get("move", "")):
            move_passage(get_context(), report_id, get_person().id, claim_id, step)
        else:
            flash(_("The note is saved."), "success")
    except InvalidInputError as error:
        flash(told(error), "problem")
    return redirect(f"{url_for('research.own', report_id=report_id)}#passage-{claim_id}")


def with_takes(html: Markup, report_id: uuid.UUID, taken: Collection[str]) -> Markup:
    """Return the HTML of a reading list with a button below each passage that takes it or puts it back."""

    def offered(piece: str) -> str:
        quote, end, after = piece.partition(_QUOTE_END)
        found = _CLAIM.search(quote) if end else None
        if found is None:
            return _QUOTE + piece
        claim = found[1]
        button = render_template("research/_take.html", report_id=report_id, claim=claim, is_taken=claim in taken)
        return f'<blockquote id="passage-{claim}">{quote}{_QUOTE_END}{button}{after}'

    before, *pieces = html.split(_QUOTE)
    # What stands between the quotations stays, and the template escapes what it is given.
    return Markup("".join((before, *map(offered, pieces))))  # nosec B704
