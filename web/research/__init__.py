"""Pages of reports, of their supervision and of the library."""

from collections.abc import Callable

from flask import request

from services.supervision.recorded import is_recorded
from web.access import Area, get_context

blueprint = Area("research", __name__, url_prefix="/research")


@blueprint.context_processor
def _recorded() -> dict[str, Callable[[], bool]]:
    """Return the template function that tells whether a report is a sample with recorded replies."""

    def recorded_sample() -> bool:
        asked = request.view_args or {}
        shown = asked.get("report_id"), asked.get("revision_id")
        return any(shown) and is_recorded(get_context(), *shown)

    return {"recorded_sample": recorded_sample}


from web.research import files, labels, library, report, requests, revisions, supervision  # noqa: E402,F401
