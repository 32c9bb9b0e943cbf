"""What waits for a person: proposals and escalations."""

from flask import Blueprint

blueprint = Blueprint("review", __name__, url_prefix="/review")

from web.review import escalations, suggestions  # noqa: E402,F401
