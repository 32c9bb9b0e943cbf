"""Files: originals, pictures and words of pages, and the retry of failed files."""

from __future__ import annotations

import io
import uuid

from flask import Response, request, send_file
from pydantic import Field

from core.models import SecurityEventKind
from services.pages.original_file import original_file
from services.pages.page_image import WIDTHS, page_image
from services.pages.page_words import PageWords, page_words
from services.uploads.retry_upload import retry_upload
from services.uploads.visible_upload import require_visible_upload
from web.api.protocol.operation import Media, operation
from web.api.protocol.wire import Given, Shown
from web.context import get_context, get_person
from web.security.security_headers import SANDBOX_POLICY
from web.security.viewed import viewed

_DEFAULT_WIDTH = 1200


class WordShape(Shown):
    """One word and its box, in fractions (0-1) of the displayed page."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


class WordsShape(Shown):
    """The lines of a page in reading order."""

    lines: list[list[WordShape]]
    turned: int = Field(description="Clockwise degrees that make its text stand upright.")


class PictureQuery(Given):
    """The wanted size of the picture."""

    width: int = Field(
        _DEFAULT_WIDTH, ge=1, le=WIDTHS[-1], description="In pixels; the next larger that is kept is sent."
    )


@operation(
    "GET",
    "/uploads/<uuid:upload_id>/original",
    tag="uploads",
    rule="signed_in",
    scope="read",
    answer=Media("*/*", "The file, byte for byte, under its own content type."),
)
@viewed(SecurityEventKind.ORIGINAL_DOWNLOADED)
def get_original(upload_id: uuid.UUID) -> Response:
    """Fetch the original of a file."""
    require_visible_upload(get_context(), get_person(), upload_id)
    data, content_type, filename = original_file(get_context(), upload_id)
    response = send_file(io.BytesIO(data), content_type, as_attachment=True, download_name=filename, etag=False)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = SANDBOX_POLICY
    return response


@operation(
    "GET",
    "/uploads/<uuid:upload_id>/pages/<int(min=1,max=999999):page_no>/picture",
    tag="uploads",
    rule="signed_in",
    scope="read",
    query=PictureQuery,
    answer=Media("image/webp", "The page, upright."),
    conditional=True,
)
@viewed(SecurityEventKind.PAGES_VIEWED)
def get_page_picture(upload_id: uuid.UUID, page_no: int, query: PictureQuery) -> Response:
    """Fetch a page as a picture; boxes are fractions of it."""
    require_visible_upload(get_context(), get_person(), upload_id)
    tag = f"{upload_id}-{page_no}-{query.width}"
    if tag in request.if_none_match:
        response = Response(status=304)
    else:
        response = Response(page_image(get_context(), upload_id, page_no, query.width), content_type="image/webp")
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@operation(
    "GET",
    "/uploads/<uuid:upload_id>/pages/<int(min=1,max=999999):page_no>/words",
    tag="uploads",
    rule="signed_in",
    scope="read",
    answer=WordsShape,
)
@viewed(SecurityEventKind.PAGES_VIEWED)
def get_page_words(upload_id: uuid.UUID, page_no: int) -> PageWords:
    """Show the words of a page, if they are known; no OCR is started for it."""
    require_visible_upload(get_context(), get_person(), upload_id)
    return page_words(get_context(), upload_id, page_no)


@operation(
    "POST",
    "/uploads/<uuid:upload_id>/retry",
    tag="uploads",
    rule="uploader",
    scope="uploads",
    answer=None,
    problems=(409,),
)
def retry_file(upload_id: uuid.UUID) -> None:
    """Read a failed file again."""
    require_visible_upload(get_context(), get_person(), upload_id)
    retry_upload(get_context(), get_person().id, upload_id)
