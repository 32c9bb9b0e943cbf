"""Correct the split of files into entries: the page, its preview, saving and undoing."""

from __future__ import annotations

import uuid
from typing import Any

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from core.errors import AppError, ConflictError, InvalidInputError
from core.models import SubmissionStatus
from services.uploads.resplit import resplit_upload, undo_resplit
from services.uploads.split import Changes, EntryTiles, LiveEntry, SplitView, arranged, split_changes, split_view
from web.access import get_context, get_person, wants_json
from web.labels import label, problem_sentence
from web.security.requests import own_path
from web.submissions import blueprint
from web.submissions.upload import SplitPlanForm, split_plan_form

_NAMES_SHOWN = 5


@blueprint.get("/uploads/<uuid:upload_id>/split", "reviewer")
def split_page(upload_id: uuid.UUID) -> ResponseReturnValue:
    view = split_view(get_context(), upload_id, request.args.getlist("with", type=uuid.UUID))
    return _page(view)


@blueprint.post("/uploads/<uuid:upload_id>/split", "reviewer")
def split_upload(upload_id: uuid.UUID) -> ResponseReturnValue:
    """Save the plan, preview the effects of saving it, or add the pages of another file to it."""
    action = request.form.get("do", "preview")
    try:
        form = split_plan_form(request.form)
        if action == "save":
            return _save(upload_id, form)
    except (ConflictError, InvalidInputError) as error:
        if wants_json():
            raise
        return _again(upload_id, error), error.http_status
    added = [found] if action == "add" and (found := request.form.get("add", type=uuid.UUID)) else []
    view = arranged(split_view(get_context(), upload_id, [*form.upload_ids, *added]), form.plan, form.upload_ids)
    sentence = preview_sentence(view)
    if wants_json():
        return jsonify(preview=sentence)
    return _page(view, sentence)


def _page(view: SplitView, preview: str | None = None, problem: str | None = None) -> str:
    return render_template(
        "splits/split.html",
        view=view,
        preview=preview,
        problem=problem,
        live={_signature(view, entry): _about(entry) for entry in view.live},
        texts=_texts(),
    )


def _signature(view: SplitView, entry: EntryTiles) -> str:
    """Return the pages of an entry in the notation of the script."""
    return ",".join(f"{view.index_of(tile)}-{tile.page.page_no}:{tile.page.rotation}" for tile in entry.tiles)


def _about(entry: EntryTiles) -> str:
    return f"{entry.student_name or _('without a name')} · {label(SubmissionStatus, entry.status)}"


def _texts() -> dict[str, str]:
    """Return the texts of the script, which fills in the braces."""
    return {
        "entry": _("Entry {entry}"),
        "read": _("will be read"),
        "join": _("Join entry {entry} with the entry before"),
        "moved": _("{page} is now page {place} of entry {entry}."),
        "turned": _("{page} is turned by {degrees} degrees."),
        "out": _("{page} is left out."),
        "draft": _("Your unsaved changes were restored. Undo removes them."),
        "away": _("The server is not responding. Your plan is kept; try again in a minute."),
    }


def _save(upload_id: uuid.UUID, form: SplitPlanForm) -> ResponseReturnValue:
    done = resplit_upload(get_context(), get_person().id, form.upload_ids, form.versions, form.plan)
    made = len(done.submission_ids)
    if made:
        flash(
            ngettext("Saved. The new entry is being read.", "Saved. %(num)d new entries are being read.", made),
            "success",
        )
    else:
        flash(_("Saved."), "success")
    beside: dict[str, Any] = {"with": form.upload_ids[1:]}
    return redirect(url_for("submissions.split_page", upload_id=upload_id, **beside))


def _again(upload_id: uuid.UUID, error: AppError) -> str:
    """Render the present state with the error and what still applies of the person's plan."""
    others = request.form.getlist("file", type=uuid.UUID)
    view = split_view(get_context(), upload_id, others)
    try:
        form = split_plan_form(request.form)
        view = arranged(view, form.plan, form.upload_ids)
    except InvalidInputError:
        form = None
    problem = problem_sentence(error)
    return _page(view, preview_sentence(view) if form else None, problem)


@blueprint.post("/splits/<uuid:split_id>/undo", "reviewer")
def undo_split(split_id: uuid.UUID) -> ResponseReturnValue:
    count = len(undo_resplit(get_context(), get_person().id, split_id))
    flash(ngettext("Undone. The entry is restored.", "Undone. %(num)d entries are restored.", count), "success")
    return redirect(own_path(request.form.get("next"), url_for("submissions.upload_page")))


def preview_sentence(view: SplitView) -> str:
    changes = _changes(view)
    if not changes.any:
        return _("Nothing has been changed yet.")
    sentences = []
    if gone := len(changes.superseded):
        names = _names(view, changes.superseded)
        sentences.append(
            ngettext(
                "One entry will be replaced: %(names)s.",
                "%(num)d entries will be replaced: %(names)s.",
                gone,
                names=names,
            )
        )
    if made := len(changes.made):
        sentences.append(ngettext("One new entry will be read.", "%(num)d new entries will be read.", made))
    if out := changes.left_out:
        sentences.append(ngettext("One page will be left out.", "%(num)d pages will be left out.", out))
    if kept := len(changes.kept):
        sentences.append(ngettext("One entry stays as it is.", "%(num)d entries stay as they are.", kept))
    return " ".join(sentences)


def _changes(view: SplitView) -> Changes:
    live = [
        LiveEntry(entry.submission_id, pages[0].upload_id, pages[0].page_no, pages[-1].page_no)
        for entry in view.live
        if entry.submission_id is not None
        for pages in [[tile.page for tile in entry.tiles]]
    ]
    return split_changes(live, view.plan)


def _names(view: SplitView, ids: list[uuid.UUID]) -> str:
    names = {entry.submission_id: entry.student_name or _("without a name") for entry in view.live}
    shown = [names[found] for found in ids[:_NAMES_SHOWN]]
    return ", ".join(shown) + (" …" if len(ids) > _NAMES_SHOWN else "")
