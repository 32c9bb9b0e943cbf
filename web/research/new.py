"""Request a report."""

from __future__ import annotations

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from core.labels import keys_of
from research.config import TIERS
from research.labels import ReportLanguage
from research.report_type import ReportType, detect_report_type, target_items
from research.supervision.tiers import TIERS as SUPERVISION_TIERS
from services.reports.request_report import KINDS, SUPERVISED_TIERS, ReportRequest, request_report
from web.access import access
from web.context import get_context, get_person
from web.research import blueprint
from web.research.providers import providers
from web.research.request_form import LIMITS, RequestForm, read_request
from web.told import told


@blueprint.get("/new")
@access("researcher")
def new() -> ResponseReturnValue:
    """Show the form, filled from the query parameters."""
    return _page(RequestForm(MultiDict(request.args)), first=True)


@blueprint.post("/new")
@access("researcher")
def ask() -> ResponseReturnValue:
    form = read_request(request.form, providers(get_context()).on)
    if form.errors:
        return _page(form), InvalidInputError.http_status
    try:
        report_id = request_report(get_context(), get_person().id, _request(form))
    except InvalidInputError as error:
        return _page(form, problem=told(error)), error.http_status
    flash(detected_sentence(form.query, form.report_type), "success")
    return redirect(url_for("research.report", report_id=report_id))


@blueprint.get("/detected")
@access("researcher")
def detected() -> ResponseReturnValue:
    """Return the type of report that a query asks for, while it is typed."""
    query, chosen = request.args.get("query", "")[:2000], request.args.get("report_type")
    found = detect_report_type(query, _explicit(chosen))
    return jsonify(
        report_type=found.value, target_items=target_items(query), sentence=detected_sentence(query, chosen)
    )


def detected_sentence(query: str, chosen: str | None) -> str:
    """Return a sentence about the type of report that will be written; "" without a query."""
    if not query.strip():
        return ""
    kind, count = detect_report_type(query, _explicit(chosen)), target_items(query)
    if kind is ReportType.NARRATIVE:
        return _("This will be a narrative: sections of text.")
    if count is None:
        return _("This will be a catalog: a table of items with proof.")
    return ngettext(
        "This will be a catalog of one item, with proof.",
        "This will be a catalog of %(num)d items, with proof for each.",
        count,
    )


def _explicit(chosen: str | None) -> ReportType | None:
    return ReportType(chosen) if chosen in tuple(ReportType) else None


def _request(form: RequestForm) -> ReportRequest:
    return ReportRequest(
        query=form.query,
        report_type=form.report_type,
        tier=form.tier,
        language=form.language,
        kinds=form.kinds,
        providers=form.providers,
        allocation=form.allocation,
        domains_allowed=form.domains_allowed,
        domains_denied=form.domains_denied,
        approve_plan=form.approve_plan,
        supervise=form.supervise,
        budget=form.budget,
    )


def _page(form: RequestForm, first: bool = False, problem: str | None = None) -> str:
    """Render the form. `first`: nothing was typed yet, so that all kinds and providers are selected."""
    typed, offered = form.typed, providers(get_context())
    return render_template(
        "research/new.html",
        typed=typed,
        errors=form.errors,
        problem=problem,
        detected=detected_sentence(typed.get("query", ""), typed.get("report_type")),
        kinds=KINDS,
        chosen_kinds=KINDS if first else typed.getlist("kind"),
        providers=offered.on,
        off=offered.off,
        chosen_providers=offered.on if first else typed.getlist("provider"),
        tiers=TIERS,
        attempts={tier: SUPERVISION_TIERS[tier].max_iterations for tier in SUPERVISED_TIERS},
        supervised=first or typed.get("supervise") == "yes",
        report_languages=keys_of(ReportLanguage),
        limits=LIMITS,
        budgeted=any(typed.get(f"budget_{name}") for name in LIMITS),
    )
