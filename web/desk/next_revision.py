"""Navigation between the pages of the queue of revisions."""

from __future__ import annotations

import uuid

from flask import url_for

from services.supervision.list_revisions import next_revision
from web.context import get_context, get_person


def next_revision_url(after: uuid.UUID | None, backwards: bool = False) -> str | None:
    """Return the URL of the next revision that no other person holds (or the previous one), None without one."""
    found = next_revision(get_context(), after, get_person().id, backwards)
    return url_for("research.revision", revision_id=found) if found else None
