"""Pages for admins: statistics of the supervisor, and accounts."""

from typing import Any

from services.season_admin.set_up import set_up_is_over
from services.trust.trust_view import fallen_agreement, has_drifted
from web.access import Area, get_context

blueprint = Area("admin", __name__, url_prefix="/admin")


@blueprint.context_processor
def _of_the_area() -> dict[str, Any]:
    """Return the template variables of every page of the area."""
    return {
        "fallen_agreement": lambda: fallen_agreement(get_context()),
        "has_drifted": lambda: has_drifted(get_context()),
        "set_up_waits": lambda: not set_up_is_over(get_context()),
    }


from web.admin import form_samples, forms, runs, seasons, set_up, stats, system, users  # noqa: E402,F401
