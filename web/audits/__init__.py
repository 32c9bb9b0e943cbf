"""Pages of the blind audits."""

from typing import Any

from flask import Blueprint

from web.audits.keys import BINDINGS
from web.desk.notices import take_notice

blueprint = Blueprint("audits", __name__, url_prefix="/audits")


@blueprint.context_processor
def _of_the_desk() -> dict[str, Any]:
    """Return the template variables of every page of audits."""
    return {"bindings": BINDINGS, "take_notice": take_notice}


from web.audits import holds, pages, settle  # noqa: E402,F401
