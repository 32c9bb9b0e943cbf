"""The body of a report as HTML, with links from the references to the quoted passages."""

from __future__ import annotations

import re
import uuid
from html import unescape

from flask import url_for
from flask_babel import gettext as _
from markupsafe import Markup

from research.document import MARKER, ReportDocument
from research.exports import to_html_body

_ENTRY = re.compile(
    r'(<li id="ref-(\d+)" data-key="([^"]+)">)((?>(?:[^<]++|<(?!/li>|li id="ref-))*))(</li>)', re.DOTALL
)


def report_html(report_id: uuid.UUID, document: ReportDocument) -> Markup:
    """Return the HTML of `to_html_body` with links to the sources' pages added to the references."""
    html = to_html_body(document)
    quoted: dict[str, list[str]] = {}
    for key, claim in (found for section in document.sections for found in re.findall(MARKER, section.body)):
        claims = quoted.setdefault(key, [])
        if claim and claim not in claims:
            claims.append(claim)

    def with_links(found: re.Match[str]) -> str:
        key = unescape(found[3])
        return f"{found[1]}{found[4]} {_passages(report_id, key, quoted.get(key, []))}{found[5]}"

    # The HTML is `to_html_body`'s, which escapes what people and sources wrote.
    return Markup(_ENTRY.sub(with_links, html))  # nosec B704


def _passages(report_id: uuid.UUID, key: str, claims: list[str]) -> Markup:
    """Return links to the quoted passages, or to the source if it is cited without quotation."""
    if not claims:
        links = [_link(report_id, key, None, _("View the source"))]
    elif len(claims) == 1:
        links = [_link(report_id, key, claims[0], _("View the passage"))]
    else:
        links = [
            _link(report_id, key, claim, _("Passage %(number)d", number=place))
            for place, claim in enumerate(claims, start=1)
        ]
    return Markup('<span class="passages">{}</span>').format(Markup(" ").join(links))


def _link(report_id: uuid.UUID, key: str, claim: str | None, text: str) -> Markup:
    url = url_for("research.source", report_id=report_id, key=key, claim=claim)
    return Markup('<a href="{}">{}</a>').format(url, text)
