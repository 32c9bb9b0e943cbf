"""Pages of the season's schools: the list, one school, changes, and what the picker of a review page asks for."""

from flask import Blueprint

blueprint = Blueprint("schools", __name__, url_prefix="/schools")

from web.schools import changes, likely, pages  # noqa: E402,F401
