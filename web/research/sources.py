"""A source of a report: its page, and the panel that a citation marker opens beside the text."""

from __future__ import annotations

import uuid

from flask import render_template, request
from flask.typing import ResponseReturnValue

from services.reports.source_panel import AROUND, SourcePanel, source_panel
from web.access import access
from web.context import get_context
from web.research import blueprint

#: Characters shown on either side of the quotation on the source's page.
_AROUND = 4000


@blueprint.get("/<uuid:report_id>/sources/<key>")
@access("report_reader")
def source(report_id: uuid.UUID, key: str) -> ResponseReturnValue:
    panel = _panel(report_id, key, _AROUND)
    return render_template("research/source.html", panel=panel, revision=_revision())


@blueprint.get("/<uuid:report_id>/sources/<key>/panel")
@access("report_reader")
def source_part(report_id: uuid.UUID, key: str) -> ResponseReturnValue:
    """Return the source as a fragment of HTML, for the panel."""
    return render_template("research/_source.html", panel=_panel(report_id, key, AROUND), revision=_revision())


def _panel(report_id: uuid.UUID, key: str, around: int) -> SourcePanel:
    claims = [one for one in request.args.getlist("claim") if one]
    return source_panel(
        get_context(), report_id, key, claims[0] if claims else None, around, _revision(), claims[1:]
    )


def _revision() -> uuid.UUID | None:
    """Return the id of the revision that the reader comes from, whose claims are not in the report yet."""
    return request.args.get("revision", type=uuid.UUID)
