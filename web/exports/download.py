"""The file of an export as an answer."""

from __future__ import annotations

import uuid

from flask.typing import ResponseReturnValue

from services.exports.export_file import Made, content_type_of, file_of, link_to, ready_export
from web.context import get_context, get_person
from web.security.download import led_to_file_store, sent_as_download


def download(export_id: uuid.UUID) -> ResponseReturnValue:
    """Return the file as a download, or lead to where the file store gives it away."""
    export = ready_export(get_context(), get_person(), export_id)
    return sent(export, content_type_of(export))


def sent(export: Made, content_type: str) -> ResponseReturnValue:
    """Return the file of an export that is done, or lead to where the file store gives it away."""
    context = get_context()
    link = link_to(context, export)
    if link is not None:
        return led_to_file_store(link)
    return sent_as_download(file_of(context, export), content_type, export.filename)
