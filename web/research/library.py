"""Pages of the library: the list, changes to documents, doubtful words of essays."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext

from core.errors import InvalidInputError, NoFileError
from core.messages import keys_of
from core.models import LibraryKind, LibraryStatus
from services.library.documents import (
    GivenMetadata,
    LibraryFilter,
    LibraryList,
    add_document,
    collections,
    library_document,
    list_library,
    remove_document,
    restore_document,
    retry_document,
)
from services.library.essays.add_essays import add_essays, decide_word, waiting_essays
from services.library.essays.word_decisions import last_decided_word, next_word, undo_word
from services.library.media_type import library_original, library_page_image
from services.messages.entries import Refused
from web.access import app_settings, get_context, get_person, whole_number
from web.i18n import LANGUAGES, chosen_language
from web.research import blueprint
from web.research.labels import ADDED_KINDS
from web.security.requests import own_path, picture, sent_as_download
from web.security.sent_form import sent_files
from web.templating import changing_part

_KINDS = keys_of(LibraryKind)
#: Removed documents are not listed.
_STATUSES = tuple(key for key in keys_of(LibraryStatus) if key != LibraryStatus.REMOVED)


@blueprint.get("/library", "report_reader")
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


@blueprint.get("/library/rows", "report_reader")
def library_rows() -> ResponseReturnValue:
    found = _list(_filter())
    return changing_part(
        found.page, "research/_library_rows.html", library=found, filters=_filters(), wanted=_filter()
    )


@blueprint.get("/library/<uuid:document_id>", "report_reader")
def library_item(document_id: uuid.UUID) -> ResponseReturnValue:
    lit = request.args.get("passage", type=whole_number)
    around = request.args.get("from", lit or 0, type=whole_number)
    view = library_document(get_context(), document_id, around)
    return render_template("research/library_item.html", view=view, document=view.document, lit=lit)


@blueprint.get("/library/<uuid:document_id>/original", "report_reader")
def library_file(document_id: uuid.UUID) -> ResponseReturnValue:
    return sent_as_download(*library_original(get_context(), document_id))


@blueprint.get("/library/<uuid:document_id>/pages/<int(max=999999):page_no>.webp", "report_reader")
def library_page(document_id: uuid.UUID, page_no: int) -> ResponseReturnValue:
    drawn = library_page_image(get_context(), document_id, page_no)
    return picture(f"{document_id}-{page_no}", lambda: drawn)


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


# Add, retry, remove and restore documents of the library, and add the season's essays.


@blueprint.get("/library/add", "researcher")
def library_add() -> ResponseReturnValue:
    settings = app_settings()
    return render_template(
        "research/library_add.html",
        kinds=ADDED_KINDS,
        collections=collections(get_context()),
        max_bytes=settings.max_upload_bytes,
        max_files=settings.max_files_per_upload,
    )


@blueprint.post("/library/add", "researcher")
def library_add_files() -> ResponseReturnValue:
    files = sent_files("files")
    if not files:
        raise NoFileError
    shelf = GivenMetadata(_kind(), request.form.get("collection", ""), request.form.get("publisher"))
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
    kind = request.form.get("kind", type=LibraryKind)
    if kind not in ADDED_KINDS:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return kind


@blueprint.post("/library/essays", "researcher")
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


@blueprint.post("/library/<uuid:document_id>/retry", "researcher")
def library_retry(document_id: uuid.UUID) -> ResponseReturnValue:
    retry_document(get_context(), document_id)
    flash(gettext("The document is being read again."), "success")
    return redirect(own_path(request.form.get("next"), url_for("research.library")))


@blueprint.post("/library/<uuid:document_id>/remove", "researcher")
def library_remove(document_id: uuid.UUID) -> ResponseReturnValue:
    remove_document(get_context(), document_id, get_person().id)
    return redirect(url_for("research.library", removed=document_id))


@blueprint.post("/library/<uuid:document_id>/restore", "researcher")
def library_restore(document_id: uuid.UUID) -> ResponseReturnValue:
    restore_document(get_context(), document_id, get_person().id)
    flash(gettext("The document was put back and is being read again."), "success")
    return redirect(url_for("research.library_item", document_id=document_id))


# The page on which a reviewer removes or keeps doubtful words of essays, one at a time.


_DECISIONS = {"take": True, "keep": False}


@blueprint.get("/library/essays/words", "reviewer")
def essay_words() -> ResponseReturnValue:
    context = get_context()
    last = last_decided_word(context, get_person().id)
    return render_template("research/essay_words.html", word=next_word(context), last=last)


@blueprint.post("/library/essays/<uuid:submission_id>/words", "reviewer")
def decide_essay_word(submission_id: uuid.UUID) -> ResponseReturnValue:
    word, decision = request.form.get("word", ""), request.form.get("decide", "")
    if decision not in _DECISIONS or not word:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    won = decide_word(get_context(), get_person().id, submission_id, word, taken_out=_DECISIONS[decision])
    if not won:
        flash(gettext("Someone has already decided on that word."), "info")
    return redirect(url_for("research.essay_words"))


@blueprint.post("/library/essays/<uuid:submission_id>/words/undo", "reviewer")
def undo_essay_word(submission_id: uuid.UUID) -> ResponseReturnValue:
    if not undo_word(get_context(), get_person().id, submission_id, request.form.get("word", "")):
        flash(gettext("Only your last decision can be undone."), "info")
    return redirect(url_for("research.essay_words"))
