"""Pages of uploads, batches and entries."""

from web.access import Area

blueprint = Area("submissions", __name__)

from web.submissions import index, split, submission, upload  # noqa: E402,F401
