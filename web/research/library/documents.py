"""The list of the library, with search and filters, and the page of one document."""

from __future__ import annotations

import io
import uuid

from flask import Response, render_template, request, send_file
from flask.typing import ResponseReturnValue

from core.labels import keys_of
from core.models import LibraryKind, LibraryStatus
from services.library.essays.doubtful_words import waiting_essays
from services.library.library_document import library_document
from services.library.list_library import LibraryFilter, LibraryList, collections, list_library
from services.library.original import library_original, library_page_image
from web.access import access
from web.changing_part import changing_part
from web.context import get_context, get_person
from web.i18n import LANGUAGES, chosen_language
from web.research import blueprint
from web.security.security_headers import SANDBOX_POLICY
from web.whole_number import whole_number

_KINDS = keys_of(LibraryKind)
#: Removed documents are not listed.
_STATUSES = tuple(key for key in keys_of(LibraryStatus) if key != LibraryStatus.REMOVED)


@blueprint.get("/library")
@access("report_reader")
def library() -> ResponseReturnValue:
    wanted = _filter()
    return render_template(
        "research/library.html",
        library=_list(wanted),
        wanted=wanted,
        narrowed=wanted != LibraryFilter(),
        filters=_filters(),
        kinds=_KINDS,
        library_statuses=_STATUSES,
        library_languages=LANGUAGES,
        collections=collections(get_context()),
        removed=request.args.get("removed", type=uuid.UUID),
        waiting_essays=waiting_essays(get_context()) if get_person().role.may_review else 0,
    )


@blueprint.get("/library/rows")
@access("report_reader")
def library_rows() -> ResponseReturnValue:
    """Return the changing part of the list; 304 while nothing has changed."""
    found = _list(_filter())
    return changing_part(
        found.fingerprint, "research/_library_rows.html", library=found, filters=_filters(), wanted=_filter()
    )


@blueprint.get("/library/<uuid:document_id>")
@access("report_reader")
def library_item(document_id: uuid.UUID) -> ResponseReturnValue:
    lit = request.args.get("passage", type=whole_number)
    around = request.args.get("from", lit or 0, type=whole_number)
    view = library_document(get_context(), document_id, around)
    return render_template("research/library_item.html", view=view, document=view.document, lit=lit)


@blueprint.get("/library/<uuid:document_id>/original")
@access("report_reader")
def library_file(document_id: uuid.UUID) -> ResponseReturnValue:
    """Return the original file as a download; the browser must not display it."""
    data, content_type, filename = library_original(get_context(), document_id)
    response = send_file(io.BytesIO(data), content_type, as_attachment=True, download_name=filename, etag=False)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = SANDBOX_POLICY
    return response


@blueprint.get("/library/<uuid:document_id>/pages/<int(max=999999):page_no>.webp")
@access("report_reader")
def library_page(document_id: uuid.UUID, page_no: int) -> ResponseReturnValue:
    """Return a page of a PDF as a picture; the browser must revalidate it each time."""
    response = Response(library_page_image(get_context(), document_id, page_no), content_type="image/webp")
    response.set_etag(f"{document_id}-{page_no}")
    response.headers["Cache-Control"] = "private, no-cache"
    return response.make_conditional(request)


def _list(wanted: LibraryFilter) -> LibraryList:
    language = "es" if chosen_language() == "es" else "en"
    return list_library(get_context(), wanted, language, request.args.get("page"))  # type: ignore[arg-type]


def _filter() -> LibraryFilter:
    """Read the filter from the URL; invalid values are ignored."""
    args = request.args
    return LibraryFilter(
        kind=args.get("kind") if args.get("kind") in _KINDS else None,
        language=args.get("language") if args.get("language") in LANGUAGES else None,
        collection=(args.get("collection") or "").strip()[:200] or None,
        status=args.get("status") if args.get("status") in _STATUSES else None,
        text=(args.get("q") or "").strip()[:500] or None,
    )


def _filters() -> dict[str, str]:
    return {key: value for key, value in request.args.items() if key not in ("page", "removed") and value}
