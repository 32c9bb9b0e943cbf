"""Pages for admins: statistics of the supervisor, and accounts."""

from flask import Blueprint

blueprint = Blueprint("admin", __name__, url_prefix="/admin")

from web.admin import events, queue, stats, system, tokens, traces, trust, users  # noqa: E402,F401
from web.admin.runs import pages as run_pages  # noqa: E402,F401
from web.admin.runs import replay  # noqa: E402,F401
from web.admin.seasons import changes, pages  # noqa: E402,F401
