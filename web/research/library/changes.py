"""Add, retry, remove and restore documents of the library, and add the season's essays."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext

from core.errors import InvalidInputError, NoFileError
from core.models import LibraryKind
from services.library.add_document import Shelf, add_document
from services.library.change_document import remove_document, restore_document, retry_document
from services.library.essays.add_essays import add_essays
from services.library.list_library import collections
from services.messages.refused import Refused
from web.access import access
from web.context import get_context, get_person, get_settings
from web.research import blueprint
from web.research.library.labels import ADDED_KINDS
from web.security.own_path import own_path
from web.security.sent_form import sent_files


@blueprint.get("/library/add")
@access("researcher")
def library_add() -> ResponseReturnValue:
    settings = get_settings()
    return render_template(
        "research/library_add.html",
        kinds=ADDED_KINDS,
        collections=collections(get_context()),
        max_bytes=settings.max_upload_bytes,
        max_files=settings.max_files_per_upload,
    )


@blueprint.post("/library/add")
@access("researcher")
def library_add_files() -> ResponseReturnValue:
    files = sent_files("files")
    if not files:
        raise NoFileError
    shelf = Shelf(_kind(), request.form.get("collection", ""), request.form.get("publisher"))
    added = [add_document(get_context(), get_person().id, file, shelf) for file in files]
    new = sum(one.is_new for one in added)
    if new:
        flash(ngettext("%(num)d document is being read.", "%(num)d documents are being read.", new), "success")
    if known := len(added) - new:
        flash(
            ngettext(
                "%(num)d file is already in the library and was not added again.",
                "%(num)d files are already in the library and were not added again.",
                known,
            ),
            "info",
        )
    return redirect(url_for("research.library"))


def _kind() -> LibraryKind:
    try:
        kind = LibraryKind(request.form.get("kind", ""))
    except ValueError as exc:
        raise InvalidInputError(Refused.FORM_INCOMPLETE) from exc
    if kind not in ADDED_KINDS:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return kind


@blueprint.post("/library/essays")
@access("researcher")
def library_essays() -> ResponseReturnValue:
    done = add_essays(get_context())
    flash(
        ngettext(
            "%(num)d approved essay was added to the library, without names.",
            "%(num)d approved essays were added to the library, without names.",
            done.written,
        ),
        "success",
    )
    if done.waiting:
        flash(
            ngettext(
                "%(num)d essay is waiting: a reviewer must check words in it that could be names.",
                "%(num)d essays are waiting: a reviewer must check words in them that could be names.",
                done.waiting,
            ),
            "info",
        )
    return redirect(url_for("research.library", kind=LibraryKind.ESSAY.value))


@blueprint.post("/library/<uuid:document_id>/retry")
@access("researcher")
def library_retry(document_id: uuid.UUID) -> ResponseReturnValue:
    retry_document(get_context(), document_id)
    flash(gettext("The document is being read again."), "success")
    return redirect(own_path(request.form.get("next"), url_for("research.library")))


@blueprint.post("/library/<uuid:document_id>/remove")
@access("researcher")
def library_remove(document_id: uuid.UUID) -> ResponseReturnValue:
    remove_document(get_context(), document_id)
    return redirect(url_for("research.library", removed=document_id))


@blueprint.post("/library/<uuid:document_id>/restore")
@access("researcher")
def library_restore(document_id: uuid.UUID) -> ResponseReturnValue:
    restore_document(get_context(), document_id)
    flash(gettext("The document was put back and is being read again."), "success")
    return redirect(url_for("research.library_item", document_id=document_id))
