"""Request a report."""

from __future__ import annotations

from dataclasses import asdict

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from core.labels import keys_of
from research.config import TIERS
from research.labels import ReportLanguage
from research.questions.catalog_fields import MAX_FIELDS
from research.report_type import ReportType, detect_report_type, target_items
from research.supervision.types import TIERS as SUPERVISION_TIERS
from services.reports.request_report import KINDS, SUPERVISED_TIERS, ReportRequest, expected_use, request_report
from web.access import access
from web.context import get_context, get_person
from web.research import blueprint
from web.research.providers import providers
from web.research.request_form import LIMITS, RequestForm, read_request
from web.research.understood import changed, filled, question_of, understand
from web.told import told


@blueprint.get("/new")
@access("researcher")
def new() -> ResponseReturnValue:
    """Show the form, filled from the query parameters and by what the question asks for."""
    return _page(RequestForm(filled(MultiDict(request.args))), first=True)


@blueprint.post("/new")
@access("researcher")
def ask() -> ResponseReturnValue:
    """Request the report, once the person has seen how the question was understood."""
    form = read_request(request.form, providers(get_context()).on)
    if form.errors:
        form.typed = filled(form.typed)
        return _page(form), InvalidInputError.http_status
    # Without a model there is nothing to confirm: passages are listed, whatever kind of report is asked for.
    if get_context().settings.model_configured and question_of(form.typed, "read") != form.query:
        form.typed = filled(form.typed)
        return _page(form, to_check=True)
    try:
        report_id = request_report(get_context(), get_person().id, _request(form))
    except InvalidInputError as error:
        return _page(form, problem=told(error)), error.http_status
    flash(detected_sentence(form.query, form.report_type, form.target_items), "success")
    return redirect(url_for("research.report", report_id=report_id))


@blueprint.get("/detected")
@access("researcher")
def detected() -> ResponseReturnValue:
    """Return the type of report that a query asks for, while it is typed."""
    query, chosen = question_of(request.args), request.args.get("report_type")
    found = detect_report_type(query, _explicit(chosen))
    return jsonify(
        report_type=found.value,
        target_items=target_items(query),
        sentence=detected_sentence(query, chosen),
        understood=asdict(understand(query)),
    )


def detected_sentence(query: str, chosen: str | None, items: int | None = None) -> str:
    """Return a sentence about what one will get; "" without a query. `items`: None for those of the query."""
    if not query.strip():
        return ""
    if not get_context().settings.model_configured:
        return _("You will get a reading list: the passages that answer, by what the question asks.")
    return _sentence(detect_report_type(query, _explicit(chosen)), items or target_items(query))


def _sentence(kind: str | None, count: int | None) -> str:
    if kind == ReportType.NARRATIVE:
        return _("This will be a narrative: sections of text.")
    if count is None:
        return _("This will be a catalog: a table of items with evidence.")
    return ngettext(
        "This will be a catalog of one item, with evidence.",
        "This will be a catalog of %(num)d items, with evidence for each.",
        count,
    )


def _explicit(chosen: str | None) -> ReportType | None:
    return ReportType(chosen) if chosen in tuple(ReportType) else None


def _request(form: RequestForm) -> ReportRequest:
    return ReportRequest(
        query=form.query,
        report_type=None if form.report_type == understand(form.query).report_type else form.report_type,
        target_items=form.target_items,
        # As filled in from the question they are nobody's choice, and a model may read them better.
        fields=() if list(form.fields) == understand(form.query).fields.splitlines() else form.fields,
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


def _page(form: RequestForm, first: bool = False, problem: str | None = None, to_check: bool = False) -> str:
    """Render the form.

    `first`: nothing was typed yet, so that all kinds and providers are selected. `to_check`: the values that the
    question fills are to be looked at before the research starts.
    """
    typed, offered = form.typed, providers(get_context())
    return render_template(
        "research/new.html",
        typed=typed,
        errors=form.errors,
        problem=problem,
        to_check=to_check,
        changed=changed(typed),
        detected=detected_sentence(typed.get("query", ""), typed.get("report_type")),
        kinds=KINDS,
        chosen_kinds=KINDS if first else typed.getlist("kind"),
        providers=offered.on,
        off=offered.off,
        chosen_providers=offered.on if first else typed.getlist("provider"),
        tiers={tier: expected_use(get_context().settings, tier) for tier in TIERS},
        attempts={tier: SUPERVISION_TIERS[tier].max_iterations for tier in SUPERVISED_TIERS},
        supervised=first or typed.get("supervise") == "yes",
        report_languages=keys_of(ReportLanguage),
        limits=LIMITS,
        most_fields=MAX_FIELDS,
        budgeted=any(typed.get(f"budget_{name}") for name in LIMITS),
    )
