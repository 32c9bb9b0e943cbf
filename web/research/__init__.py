"""The research desk: ask for reports, follow them, read them; the library that they are researched in."""

from flask import Blueprint

blueprint = Blueprint("research", __name__, url_prefix="/research")

from web.research import actions, export, index, library, library_changes, new, plan, report, sources, words  # noqa: E402,F401
