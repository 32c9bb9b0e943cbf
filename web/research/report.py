"""The page of one report: during the research, with a waiting plan, and when it is written."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from flask import render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from research.document import Section
from research.exports import EXPORT_FORMATS
from services.reports.own_document import own_document
from services.reports.report_detail import ReportDetail, report_detail
from services.reports.report_progress import report_progress
from services.supervision.supervision_timeline import supervisions_of
from web.access import access
from web.changing_part import changing_part
from web.context import get_context, get_person
from web.research import blueprint
from web.research.own import with_takes
from web.research.plan_form import PlanForm, plan_form
from web.research.report_html import parts_of, report_html
from web.whole_number import whole_number

PHASES = ("planning", "round_1", "round_2", "round_3", "writing")


@blueprint.get("/<uuid:report_id>")
@access("report_reader")
def report(report_id: uuid.UUID) -> ResponseReturnValue:
    detail = report_detail(get_context(), report_id, request.args.get("version", type=whole_number))
    return report_page(detail, plan_form(detail.progress.facts))


def report_page(detail: ReportDetail, plan: PlanForm, problem: str | None = None) -> str:
    """Render the page. For a refused plan, `plan` has the typed values and `problem` says why."""
    progress = detail.progress
    own = None
    if detail.document is not None and detail.document.extractive:
        own = own_document(get_context(), progress.facts.id, get_person().id)
    loops = supervisions_of(get_context(), progress.facts.id)
    parts = parts_of(detail.document) if detail.document else []
    part = max(1, min(request.args.get("part", 1, type=whole_number), len(parts)))
    return render_template(
        "research/report.html",
        detail=detail,
        progress=progress,
        facts=progress.facts,
        body=_body(detail, parts[part - 1] if parts else (), own.claims if own else ()),
        part=part,
        part_count=len(parts),
        own=own,
        plan=plan,
        problem=problem,
        formats=EXPORT_FORMATS,
        phases=PHASES,
        loops=loops,
        open_loop=next((loop for loop in loops if not loop.over), None),
    )


def _body(detail: ReportDetail, sections: Sequence[Section], taken: Collection[str]) -> Markup | None:
    """Return a part of the text, None before it is written; passages of a reading list can be taken."""
    if detail.document is None:
        return None
    html = report_html(detail.progress.facts.id, detail.document, sections)
    return with_takes(html, detail.progress.facts.id, taken) if detail.document.extractive else html


@blueprint.get("/<uuid:report_id>/progress")
@access("report_reader")
def report_progress_part(report_id: uuid.UUID) -> ResponseReturnValue:
    """Return the changing part of the page; 304 while nothing has changed."""
    progress = report_progress(get_context(), report_id)
    return changing_part(
        progress.fingerprint, "research/_progress.html", progress=progress, facts=progress.facts, phases=PHASES
    )
