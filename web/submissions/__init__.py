"""Pages of uploads, batches and entries."""

from flask import Blueprint

blueprint = Blueprint("submissions", __name__)

from web.submissions import index, split, submission, upload  # noqa: E402,F401
