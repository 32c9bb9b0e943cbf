"""Pages of the review queue and its items."""

from typing import Any

from web.access import Area, app_settings
from web.decision_pages import BINDINGS, take_notice
from web.submission_filter import queue_fields

blueprint = Area("review", __name__, url_prefix="/review")


@blueprint.context_processor
def _of_the_desk() -> dict[str, Any]:
    """Return the template variables of every review page."""
    return {
        "bindings": BINDINGS,
        "take_notice": take_notice,
        "queue_fields": queue_fields(),
        "measures_effort": app_settings().measure_review_effort,
    }


from web.review import bulk, item, queue  # noqa: E402,F401
