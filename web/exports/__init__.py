"""Pages of exports: ask for a file of entries, follow it, download it, remove it."""

from flask import Blueprint

blueprint = Blueprint("exports", __name__, url_prefix="/exports")

from web.exports import pages  # noqa: E402,F401
