"""For admins: what the supervisor did, and who may sign in."""

from flask import Blueprint

blueprint = Blueprint("admin", __name__, url_prefix="/admin")

from web.admin import stats, traces, users  # noqa: E402,F401
