"""Text of a compared document, with its citation markers as links to the quoted passages."""

from __future__ import annotations

import re
import uuid

from flask import url_for
from markupsafe import Markup, escape

from research.document import MARKER
from web.research import blueprint

_MARKER = re.compile(MARKER)


@blueprint.app_template_filter("with_markers")
def with_markers(text: str, report_id: uuid.UUID, revision_id: uuid.UUID | None = None) -> Markup:
    """Return the escaped text with each `[@key#claim]` as a link that shows the key."""
    made, place = Markup(), 0
    for found in _MARKER.finditer(text):
        url = url_for(
            "research.source", report_id=report_id, key=found["key"], claim=found["claim"], revision=revision_id
        )
        claim = Markup(' data-claim="{}"').format(found["claim"]) if found["claim"] else ""
        link = Markup('<a class="cite" href="{}" data-key="{}"{}>[{}]</a>')
        made += escape(text[place : found.start()]) + link.format(url, found["key"], claim, found["key"])
        place = found.end()
    return made + escape(text[place:])
