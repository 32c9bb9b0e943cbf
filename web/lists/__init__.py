"""Pages around the list of entries: kept filters, columns, changes of many entries at once."""

from flask import Blueprint

blueprint = Blueprint("lists", __name__, url_prefix="/submissions")

from web.lists import changes, columns, filters, rereads  # noqa: E402,F401
