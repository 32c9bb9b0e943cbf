"""Original files, and pictures and words of their pages."""

from __future__ import annotations

import hashlib
import uuid

from flask import Response, flash, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.models import SecurityEventKind
from services.pages.original_file import original_file
from services.pages.original_link import original_link
from services.pages.page_image import page_image
from services.pages.page_words import page_words
from services.uploads.retry_upload import retry_upload
from services.uploads.visible_upload import require_visible_upload
from web.access import access
from web.context import get_context, get_person
from web.security.download import led_to_file_store, sent_as_download
from web.security.own_path import own_path
from web.security.viewed import viewed
from web.submissions import blueprint
from web.whole_number import whole_number

_DEFAULT_WIDTH = 1200


@blueprint.get("/uploads/<uuid:upload_id>/original")
@access("signed_in")
@viewed(SecurityEventKind.ORIGINAL_DOWNLOADED)
def original(upload_id: uuid.UUID) -> ResponseReturnValue:
    """Return the original file as a download; the browser must not display it.

    Where the file store gives it away itself, the browser is sent there.
    """
    require_visible_upload(get_context(), get_person(), upload_id)
    link = original_link(get_context(), upload_id)
    if link is not None:
        return led_to_file_store(link)
    return sent_as_download(*original_file(get_context(), upload_id))


@blueprint.get("/uploads/<uuid:upload_id>/pages/<int(max=999999):page_no>.webp")
@access("signed_in")
@viewed(SecurityEventKind.PAGES_VIEWED)
def page_picture(upload_id: uuid.UUID, page_no: int) -> ResponseReturnValue:
    """Return a page as a picture. The browser must revalidate it each time, so that sign-out hides it."""
    require_visible_upload(get_context(), get_person(), upload_id)
    width = request.args.get("w", _DEFAULT_WIDTH, type=whole_number)
    tag = f"{upload_id}-{page_no}-{width}"
    if tag in request.if_none_match:
        response = make_response("", 304)
    else:
        response = Response(page_image(get_context(), upload_id, page_no, width), content_type="image/webp")
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@blueprint.get("/uploads/<uuid:upload_id>/pages/<int(max=999999):page_no>/words.json")
@access("signed_in")
@viewed(SecurityEventKind.PAGES_VIEWED)
def page_text(upload_id: uuid.UUID, page_no: int) -> ResponseReturnValue:
    """Return the words of a page with their places, for the text layer over its picture."""
    require_visible_upload(get_context(), get_person(), upload_id)
    body = page_words(get_context(), upload_id, page_no).as_json()
    response = Response(body, content_type="application/json")
    response.set_etag(hashlib.sha256(body).hexdigest()[:32])
    response.headers["Cache-Control"] = "private, no-cache"
    return response.make_conditional(request)


@blueprint.post("/uploads/<uuid:upload_id>/retry")
@access("uploader")
def retry_file(upload_id: uuid.UUID) -> ResponseReturnValue:
    require_visible_upload(get_context(), get_person(), upload_id)
    retry_upload(get_context(), get_person().id, upload_id)
    flash(gettext("The file is being read again."), "success")
    return redirect(own_path(request.form.get("next"), url_for("submissions.upload_page")))
