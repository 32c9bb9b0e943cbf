"""Upload files, follow them, look at entries."""

from flask import Blueprint

blueprint = Blueprint("submissions", __name__)

from web.submissions import batches, detail, files, index, split, upload  # noqa: E402,F401
