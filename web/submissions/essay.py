"""The page on which an essay is corrected line by line, beside its scanned pages."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from core.errors import ConflictError, InvalidInputError
from core.models import SecurityEventKind
from services.entries.correct_essay import correct_essay
from services.entries.essay_page import EssayPage, essay_page
from services.pages.document_pages import Place
from web.access import access
from web.context import get_context, get_person
from web.desk.notices import go_on
from web.desk.version import version_of
from web.evidence import line_crop
from web.i18n import say
from web.security.viewed import viewed
from web.submissions import blueprint
from web.whole_number import whole_number

blueprint.add_app_template_global(line_crop)


@dataclass(frozen=True)
class LitLine:
    """One line with the places that the page viewer highlights."""

    name: str
    places: list[Place]


@blueprint.get("/submissions/<uuid:submission_id>/essay")
@access("reviewer")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def essay(submission_id: uuid.UUID) -> ResponseReturnValue:
    return _page(essay_page(get_context(), get_person(), submission_id))


@blueprint.post("/submissions/<uuid:submission_id>/essay")
@access("reviewer")
def save_essay(submission_id: uuid.UUID) -> ResponseReturnValue:
    """Save the lines, or show the form again with a line added or removed; typed text is always kept."""
    form = request.form
    shown = essay_page(get_context(), get_person(), submission_id)
    lines = lines_of(form)
    if "add" in form or "remove" in form:
        return _page(shown.typed(lines), version_of(form))
    try:
        version, reason = version_of(form), form.get("reason", "").strip() or None
        edited = correct_essay(get_context(), get_person().id, submission_id, version, lines, reason)
    except ConflictError as error:
        # With the present version: sending the form again is deliberate, since the present text is shown.
        page = _page(shown.typed(lines), shown.entry.version, say(error.told), stands=shown.text)
        return page, error.http_status
    except InvalidInputError as error:
        return _page(shown.typed(lines), version_of(form), say(error.told)), error.http_status
    return go_on(
        url_for("submissions.detail", submission_id=submission_id),
        gettext("The essay was saved."),
        url_for("review.undo", decision_id=edited.decision_id),
    )


def lines_of(form: MultiDict[str, str]) -> list[str]:
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
        places=[LitLine(f"line_{number}", [line.place]) for number, line in enumerate(shown.lines) if line.place],
    )
