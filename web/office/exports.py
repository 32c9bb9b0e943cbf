"""Pages of exports: request one, follow its progress, download the file."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError, NotFailedError
from core.messages import keys_of
from core.models.operations import ExportKind
from services.entries.listing import SubmissionFilter
from services.exports.contents import FORMATS, known_columns
from services.exports.making import Made, export_content_type, export_link, file_of, ready_export
from services.exports.request import (
    ExportRequest,
    find_export,
    list_exports,
    remembered_columns,
    remove_export,
    request_export,
    retry_export,
)
from web.access import Area, get_context, get_person
from web.i18n import notice_of, shown_again
from web.labels import column_label
from web.security.requests import redirect_to_file_store, sent_as_download
from web.security.sign_in_guard import recently_confirmed
from web.submission_filter import as_sent, wanted_submissions
from web.templating import changing_part

blueprint = Area("exports", __name__, url_prefix="/exports")


# The page of exports.


@blueprint.get("", "reader")
def index() -> ResponseReturnValue:
    return _shown(wanted_submissions(request.args), remembered_columns(get_context(), get_person()))


@blueprint.post("", "reader")
@recently_confirmed
@shown_again(
    lambda problem: _shown(wanted_submissions(request.form), request.form.getlist("column"), problem),
    InvalidInputError,
)
def ask() -> ResponseReturnValue:
    wanted, columns = wanted_submissions(request.form), request.form.getlist("column")
    kind, _, file_format = request.form.get("what", "").partition(".")
    if kind not in keys_of(ExportKind):
        return redirect(url_for("exports.index", **as_sent(wanted)))
    request_export(get_context(), get_person(), ExportRequest(ExportKind(kind), file_format, wanted, columns))
    return redirect(url_for("exports.index"))


@blueprint.get("/progress", "reader")
def progress_part() -> ResponseReturnValue:
    page = list_exports(get_context(), get_person(), request.args.get("page"))
    state = [(row.id, row.status, row.rows_done, row.rows_total) for row in page.rows]
    return changing_part(state, "exports/_list.html", page=page)


@blueprint.get("/<uuid:export_id>/file", "reader")
@recently_confirmed
def file(export_id: uuid.UUID) -> ResponseReturnValue:
    return download(export_id)


@blueprint.post("/<uuid:export_id>/remove", "reader")
def remove(export_id: uuid.UUID) -> ResponseReturnValue:
    remove_export(get_context(), get_person(), export_id)
    flash(gettext("The export was removed."), "success")
    return redirect(url_for("exports.index"))


@blueprint.post("/<uuid:export_id>/retry", "reader")
def retry(export_id: uuid.UUID) -> ResponseReturnValue:
    find_export(get_context(), get_person(), export_id)
    with notice_of(NotFailedError):
        retry_export(get_context(), export_id)
    return redirect(url_for("exports.index"))


def _shown(wanted: SubmissionFilter, columns: list[str], problem: str = "") -> str:
    return render_template(
        "exports/index.html",
        page=list_exports(get_context(), get_person(), request.args.get("page")),
        wanted=as_sent(wanted),
        narrowed=wanted != SubmissionFilter(),
        formats=FORMATS,
        columns=[(key, column_label(key)) for key in known_columns()],
        chosen=columns,
        problem=problem,
    )


# Send the file of an export.


def download(export_id: uuid.UUID) -> ResponseReturnValue:
    export = ready_export(get_context(), get_person(), export_id)
    return sent(export, export_content_type(export))


def sent(export: Made, content_type: str) -> ResponseReturnValue:
    """Return the file of a finished export, or redirect to the file store."""
    context = get_context()
    link = export_link(context, export)
    if link is not None:
        return redirect_to_file_store(link)
    return sent_as_download(file_of(context, export), content_type, export.filename)
