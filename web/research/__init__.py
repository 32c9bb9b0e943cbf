"""Pages of reports, of their supervision and of the library."""

from flask import Blueprint

blueprint = Blueprint("research", __name__, url_prefix="/research")

from web.research import actions, documents, export, index, new, own, plan, report, sources, words  # noqa: E402,F401
from web.research.library import changes, essay_words, labels  # noqa: E402,F401
from web.research.library import documents as library_documents  # noqa: E402,F401
from web.research.supervision import labels as supervision_labels  # noqa: E402,F401
from web.research.supervision import loop, marked_text, revision_holds, revisions, versions  # noqa: E402,F401
