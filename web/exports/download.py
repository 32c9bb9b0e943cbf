"""The file of an export as an answer."""

from __future__ import annotations

import io
import uuid
from pathlib import Path

from flask import redirect, send_file
from flask.typing import ResponseReturnValue

from services.exports.export_file import content_type_of, file_of, link_to, ready_export
from web.context import get_context, get_person
from web.security.security_headers import SANDBOX_POLICY


def download(export_id: uuid.UUID) -> ResponseReturnValue:
    """Return the file as a download, or lead to where the file store gives it away; no cache keeps it."""
    context = get_context()
    export = ready_export(context, get_person(), export_id)
    link = link_to(context, export)
    if link is not None:
        elsewhere = redirect(link)
        elsewhere.headers["Cache-Control"] = "no-store"
        elsewhere.headers["Referrer-Policy"] = "no-referrer"
        return elsewhere
    found = file_of(context, export)
    response = send_file(
        found if isinstance(found, Path) else io.BytesIO(found),
        content_type_of(export),
        as_attachment=True,
        download_name=export.filename,
        etag=False,
    )
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = SANDBOX_POLICY
    return response
