"""Pages of uploads, batches and entries."""

from flask import Blueprint

blueprint = Blueprint("submissions", __name__)

from web.submissions import batches, by_school, detail, erase, essay, files, index, record, split, upload  # noqa: E402,F401
