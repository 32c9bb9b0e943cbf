"""Files of children's data as downloads, which no cache keeps and no browser displays."""

from __future__ import annotations

import io
from pathlib import Path

from flask import Response, redirect, send_file
from flask.typing import ResponseReturnValue

from services.uploads.submit_files import last_part
from web.security.security_headers import SANDBOX_POLICY


def sent_as_download(file: bytes | Path, content_type: str, filename: str) -> Response:
    """Return the file, given as its bytes or where it lies, as a download under the last part of this name."""
    source = file if isinstance(file, Path) else io.BytesIO(file)
    response = send_file(source, content_type, as_attachment=True, download_name=last_part(filename), etag=False)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = SANDBOX_POLICY
    return response


def led_to_file_store(link: str) -> ResponseReturnValue:
    """Send the browser to where the file store gives a file away.

    The address is good for seconds; no page and no cache keeps it, and it is not told to where it leads.
    """
    elsewhere = redirect(link)
    elsewhere.headers["Cache-Control"] = "no-store"
    elsewhere.headers["Referrer-Policy"] = "no-referrer"
    return elsewhere
