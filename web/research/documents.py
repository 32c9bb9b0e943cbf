"""Upload a document for supervision."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import AppError, DocumentError, FileTooLargeError, NoFileError
from services.supervision.upload_document import upload_document
from web.access import access
from web.context import get_context, get_person, get_settings
from web.research import blueprint
from web.security.sent_form import sent_file
from web.told import told

_REFUSED = (NoFileError, FileTooLargeError, DocumentError)


@blueprint.get("/documents/new")
@access("researcher")
def new_document() -> ResponseReturnValue:
    return _page()


@blueprint.post("/documents/new")
@access("researcher")
def take_document() -> ResponseReturnValue:
    """Store the document and redirect to its page; show the form with the error if it cannot be read."""
    name, data = sent_file("file", get_settings().max_upload_bytes)
    try:
        if not name:
            raise NoFileError
        only = request.form.get("library_only") == "yes"
        report_id = upload_document(get_context(), get_person().id, name, data, library_only=only)
    except _REFUSED as error:
        return _page(error), error.http_status
    flash(_("The document was read. Check that its sections and references were found."), "success")
    return redirect(url_for("research.report", report_id=report_id))


def _page(problem: AppError | None = None) -> str:
    return render_template(
        "research/document_new.html",
        max_bytes=get_settings().max_upload_bytes,
        problem=told(problem) if problem else None,
    )
