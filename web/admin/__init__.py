"""Pages for admins: statistics of the supervisor, and accounts."""

from typing import Any

from flask import Blueprint

from services.set_up.steps import set_up_is_over
from services.trust.alarm import has_drifted
from web.context import get_context

blueprint = Blueprint("admin", __name__, url_prefix="/admin")


@blueprint.context_processor
def _of_the_area() -> dict[str, Any]:
    """Return the template variables of every page of the area."""
    return {
        "has_drifted": lambda: has_drifted(get_context()),
        "set_up_waits": lambda: not set_up_is_over(get_context()),
    }


from web.admin import events, links, mails, queue, stats, system, tokens, traces, trust, users  # noqa: E402,F401
from web.admin.forms import changes as form_changes  # noqa: E402,F401
from web.admin.forms import pages as form_pages  # noqa: E402,F401
from web.admin.forms import samples as form_samples  # noqa: E402,F401
from web.admin.forms import saving as form_saving  # noqa: E402,F401
from web.admin.forms import versions as form_versions  # noqa: E402,F401
from web.admin.runs import pages as run_pages  # noqa: E402,F401
from web.admin.runs import replay  # noqa: E402,F401
from web.admin.seasons import changes, pages  # noqa: E402,F401
from web.admin.set_up import changes as set_up_changes  # noqa: E402,F401
from web.admin.set_up import pages as set_up_pages  # noqa: E402,F401
