"""Pages of uploads, batches and entries."""

from flask import Blueprint

blueprint = Blueprint("submissions", __name__)

from web.submissions import (  # noqa: E402,F401
    batches,
    by_school,
    defaults,
    detail,
    erase,
    essay,
    files,
    index,
    record,
    said,
    split,
    typed_in,
    upload,
)
