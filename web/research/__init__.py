"""The research desk: ask for reports, follow them, read them; the library that they are researched in."""

from flask import Blueprint

blueprint = Blueprint("research", __name__, url_prefix="/research")

from web.research import (  # noqa: E402,F401
    actions,
    documents,
    export,
    index,
    library,
    library_changes,
    marked_text,
    new,
    plan,
    report,
    revision_claims,
    revisions,
    sources,
    supervision,
    supervision_labels,
    versions,
    words,
)
