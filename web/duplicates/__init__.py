"""Pages of entries that may have been sent before: the list of pairs, and the two side by side."""

from typing import Any

from flask import Blueprint

from web.desk.notices import take_notice
from web.duplicates.keys import BINDINGS

blueprint = Blueprint("duplicates", __name__, url_prefix="/submissions/duplicates")


@blueprint.context_processor
def for_templates() -> dict[str, Any]:
    """Return what the templates of these pages use."""
    return {"bindings": BINDINGS, "take_notice": take_notice}


from web.duplicates import decide, pages  # noqa: E402,F401
