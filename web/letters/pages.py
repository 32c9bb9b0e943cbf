"""The letters that were written, one of them, and letters to print."""

from __future__ import annotations

import uuid

from flask import render_template, request
from flask.typing import ResponseReturnValue

from core.clock import utcnow
from services.letters.items import ItemView, items_of_submission
from services.letters.letter_pdf import letter_pdf
from services.letters.list_letters import find_letters, list_letters
from services.review.aside import aside_of
from services.security_events import record_export
from web.access import access
from web.context import get_context, get_person
from web.desk.notices import take_notice
from web.letters import blueprint
from web.review.queue import aside_sentence
from web.security.download import sent_as_download


@blueprint.app_template_global()
def letters_about(submission_id: uuid.UUID) -> list[ItemView]:
    """Return what was asked of an entry, the last letter first."""
    return items_of_submission(get_context(), submission_id)


@blueprint.app_template_global()
def set_aside_for(submission_id: uuid.UUID) -> str | None:
    """Return what an entry is set aside for, and until when; None where it is in the queue as any other."""
    with get_context().database.session() as session:
        found = aside_of(session, submission_id)
    return None if found is None else aside_sentence(found)


@blueprint.get("/letters")
@access("reader")
def index() -> ResponseReturnValue:
    page = list_letters(get_context(), request.args.get("page"))
    return render_template("letters/index.html", page=page, printed=request.args.getlist("printed"))


@blueprint.get("/letters/<uuid:letter_id>")
@access("reader")
def letter(letter_id: uuid.UUID) -> ResponseReturnValue:
    return letter_page(letter_id)


@blueprint.get("/letters/<uuid:letter_id>/print")
@access("reader")
def printable(letter_id: uuid.UUID) -> ResponseReturnValue:
    [found] = find_letters(get_context(), [letter_id])
    return render_template("letters/print.html", letter=found)


@blueprint.get("/letters/file.pdf")
@access("reader")
def file() -> ResponseReturnValue:
    """Send the letters that the address names as one PDF. That they were taken out is recorded."""
    keys = request.args.getlist("letter", type=uuid.UUID)
    data = letter_pdf(find_letters(get_context(), keys))
    record_export(get_context(), get_person().id, "letters", len(keys))
    return sent_as_download(data, "application/pdf", f"letters-{utcnow():%Y-%m-%d}.pdf")


def letter_page(letter_id: uuid.UUID, problem: str = "", answered: uuid.UUID | None = None) -> str:
    """Return the page of a letter, with why an answer was refused. Raises NotFoundError."""
    [found] = find_letters(get_context(), [letter_id])
    return render_template(
        "letters/letter.html",
        letter=found,
        problem=problem,
        answered=answered,
        typed=request.form,
        take_notice=take_notice,
    )
