"""The list of forms, and the page of a draft with its marks."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable

from flask import Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.labels import keys_of
from pipeline.profiles import FieldKind, PrintedRole, ProfileKind, built_in_profiles
from pipeline.profiles.declared import common_fields
from services.form_studio.begin_draft import begin_draft, begin_next_version
from services.form_studio.draft import DraftView, find_draft, list_drafts
from services.form_studio.pictures import blank_picture
from services.form_studio.problems import problems_of
from services.forms.list_forms import list_forms
from services.messages.form_studio import FieldKindName, PrintedRoleName
from web.access import access
from web.admin import blueprint
from web.changing_part import changing_part
from web.context import get_context, get_person, get_settings
from web.security.sent_form import sent_file


@blueprint.get("/forms")
@access("admin")
def forms() -> ResponseReturnValue:
    return render_template(
        "admin/forms/list.html",
        drafts=list_drafts(get_context()),
        forms=list_forms(get_context()),
        built_in=[one for one in built_in_profiles().values() if one.kind is not ProfileKind.FREEFORM],
        max_bytes=get_settings().max_upload_bytes,
    )


@blueprint.post("/forms/drafts")
@access("admin")
def begin_form_draft() -> ResponseReturnValue:
    """Begin a draft with an uploaded blank, or with that of the form whose next version is to be made."""
    context, actor_id = get_context(), get_person().id
    if key := request.form.get("next_of"):
        draft_id = begin_next_version(context, actor_id, key)
    else:
        name, data = sent_file("blank", get_settings().max_upload_bytes)
        draft_id = begin_draft(context, actor_id, name, data, request.form.get("start"))
    return redirect(url_for("admin.form_draft", draft_id=draft_id))


@blueprint.get("/forms/drafts/<uuid:draft_id>")
@access("admin")
def form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    return draft_page(find_draft(get_context(), draft_id))


@blueprint.get("/forms/drafts/<uuid:draft_id>/state")
@access("admin")
def form_draft_state(draft_id: uuid.UUID) -> ResponseReturnValue:
    """Return the changing part of a draft whose blank is being read."""
    draft = find_draft(get_context(), draft_id)
    fingerprint = hashlib.sha256(repr((str(draft.id), draft.status, draft.version)).encode()).hexdigest()[:32]
    return changing_part(fingerprint, "admin/forms/_reading.html", draft=draft)


@blueprint.get("/forms/drafts/<uuid:draft_id>/page.webp")
@access("admin")
def form_draft_picture(draft_id: uuid.UUID) -> ResponseReturnValue:
    draft = find_draft(get_context(), draft_id)
    return picture(f"{draft.id}-{draft.page_no}", lambda: blank_picture(get_context(), draft))


def picture(tag: str, draw: Callable[[], bytes]) -> Response:
    """Return a picture that the browser must revalidate each time, so that sign-out hides it."""
    if tag in request.if_none_match:
        response = make_response("", 304)
    else:
        response = Response(draw(), content_type="image/webp")
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def draft_page(draft: DraftView, problem: str = "") -> str:
    """Render the page of a draft, with why a change was refused."""
    return render_template("admin/forms/draft.html", **draft_values(draft), problem=problem)


def draft_values(draft: DraftView) -> dict[str, object]:
    """Return the variables of the parts of the page."""
    return {
        "draft": draft,
        "marks": draft.marks,
        "problems": problems_of(draft.marks) if draft.marks else [],
        "known_keys": [one.name for one in common_fields().values() if not one.derived],
        "kinds": [kind for kind in keys_of(FieldKindName) if kind in set(FieldKind)],
        "roles_of_print": [role for role in keys_of(PrintedRoleName) if role in set(PrintedRole)],
    }
