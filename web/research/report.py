"""Pages of a report: the list, the text in parts, its plan, its sources; stop and retry."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from core.errors import ConflictError, InvalidInputError
from core.messages import keys_of
from core.models import ReportStatus
from research.document import MARKER, ReportDocument, Section
from research.exports.formats import EXPORT_FORMATS, to_html_body
from research.labels import TierLabel
from research.report_type import ReportType
from research.text.markdown import text_pieces
from services.reports.progress import ReportFacts, report_progress
from services.reports.request import (
    KINDS,
    LONGEST_QUESTION,
    MOST_QUESTIONS,
    ReportCode,
    approve_plan,
    cancel_report,
    retry_report,
)
from services.reports.source_panel import AROUND, SourcePanel, source_panel
from services.reports.versions import ReportDetail, ReportFilter, list_reports, report_detail
from services.supervision.timeline import supervisions_of
from web.access import get_context, get_person, whole_number
from web.labels import problem_sentence
from web.research import blueprint
from web.research.files import with_takes
from web.research.requests import counts_problem
from web.templating import changing_part

# The list of reports; its filters live in the URL.


_STATUSES, _TYPES, _TIERS = keys_of(ReportStatus), keys_of(ReportType), keys_of(TierLabel)


@blueprint.get("", "report_reader")
def index() -> ResponseReturnValue:
    wanted = _filter()
    return render_template(
        "research/index.html",
        page=list_reports(get_context(), wanted, request.args.get("page")),
        wanted=wanted,
        narrowed=wanted != ReportFilter(),
        filters={key: value for key, value in request.args.items() if key != "page" and value},
        report_statuses=_STATUSES,
        report_types=_TYPES,
        tiers=_TIERS,
    )


def _filter() -> ReportFilter:
    """Read the filter from the URL; invalid values are ignored."""
    args = request.args
    return ReportFilter(
        status=args.get("status") if args.get("status") in _STATUSES else None,
        report_type=args.get("type") if args.get("type") in _TYPES else None,
        tier=args.get("tier") if args.get("tier") in _TIERS else None,
        requested_by=get_person().id if args.get("mine") == "yes" else None,
        text=(args.get("q") or "").strip()[:200] or None,
    )


# Change and approve the plan of a report.


@blueprint.post("/<uuid:report_id>/plan", "researcher")
def plan(report_id: uuid.UUID) -> ResponseReturnValue:
    """Approve the typed plan, or only rearrange its lines; a refused plan is shown again as it was typed."""
    context = get_context()
    detail = report_detail(context, report_id, person_id=get_person().id)
    facts, form = detail.progress.facts, typed_plan(request.form)
    if rearranged(form, request.form.get("do", "")):
        return report_page(detail, form)
    if not check_plan(form):
        return report_page(detail, form), InvalidInputError.http_status
    try:
        approve_plan(context, get_person().id, report_id, form.version, form.plan())
    except (ConflictError, InvalidInputError) as error:
        form.version = facts.version
        return report_page(detail, form, problem_sentence(error)), error.http_status
    flash(_("The plan was approved; the research continues."), "success")
    return redirect(url_for("research.report", report_id=report_id))


# A source of a report: its page, and the panel that a citation marker opens beside the text.


#: Characters shown on either side of the quotation on the source's page.
_AROUND = 4000


@blueprint.get("/<uuid:report_id>/sources/<key>", "report_reader")
def source(report_id: uuid.UUID, key: str) -> ResponseReturnValue:
    panel = _panel(report_id, key, _AROUND)
    return render_template("research/source.html", panel=panel, revision=_revision())


@blueprint.get("/<uuid:report_id>/sources/<key>/panel", "report_reader")
def source_part(report_id: uuid.UUID, key: str) -> ResponseReturnValue:
    """Return the source as a fragment of HTML, for the panel."""
    return render_template("research/_source.html", panel=_panel(report_id, key, AROUND), revision=_revision())


def _panel(report_id: uuid.UUID, key: str, around: int) -> SourcePanel:
    claims = [one for one in request.args.getlist("claim") if one]
    return source_panel(
        get_context(), report_id, key, claims[0] if claims else None, around, _revision(), claims[1:]
    )


def _revision() -> uuid.UUID | None:
    """Return the id of the revision that links here; its claims are not in the report yet."""
    return request.args.get("revision", type=uuid.UUID)


# Stop a report, or retry one that failed or was stopped.


@blueprint.post("/<uuid:report_id>/cancel", "researcher")
def cancel(report_id: uuid.UUID) -> ResponseReturnValue:
    cancel_report(get_context(), get_person().id, report_id)
    flash(_("The report will stop after the current step; everything found so far is kept."), "success")
    return redirect(url_for("research.report", report_id=report_id))


@blueprint.post("/<uuid:report_id>/retry", "researcher")
def retry(report_id: uuid.UUID) -> ResponseReturnValue:
    retry_report(get_context(), get_person().id, report_id)
    flash(_("The report is resuming where it stopped."), "success")
    return redirect(url_for("research.report", report_id=report_id))


# The page of one report: during the research, with a waiting plan, and once written.


PHASES = ("planning", "round_1", "round_2", "round_3", "writing")


@blueprint.get("/<uuid:report_id>", "report_reader")
def report(report_id: uuid.UUID) -> ResponseReturnValue:
    version_no = request.args.get("version", type=whole_number)
    detail = report_detail(get_context(), report_id, version_no, get_person().id)
    return report_page(detail, plan_form(detail.progress.facts))


def report_page(detail: ReportDetail, plan: ResearchPlanForm, problem: str | None = None) -> str:
    """Render the page. For a refused plan, `plan` has the typed values and `problem` says why."""
    progress = detail.progress
    loops = supervisions_of(get_context(), progress.facts.id)
    parts = document_parts(detail.document) if detail.document else []
    part = max(1, min(request.args.get("part", 1, type=whole_number), len(parts)))
    return render_template(
        "research/report.html",
        detail=detail,
        progress=progress,
        facts=progress.facts,
        body=_body(detail, parts[part - 1] if parts else ()),
        part=part,
        part_count=len(parts),
        is_list=detail.document is not None and detail.document.extractive,
        plan=plan,
        problem=problem,
        formats=EXPORT_FORMATS,
        phases=PHASES,
        loops=loops,
        open_loop=next((loop for loop in loops if not loop.over), None),
    )


def _body(detail: ReportDetail, sections: Sequence[Section]) -> Markup | None:
    """Return a part of the text, None before it is written; a reading list gets buttons to take passages."""
    if detail.document is None:
        return None
    html = report_html(detail.progress.facts.id, detail.document, sections)
    return with_takes(html, detail.progress.facts.id, detail.taken) if detail.document.extractive else html


@blueprint.get("/<uuid:report_id>/progress", "report_reader")
def report_progress_part(report_id: uuid.UUID) -> ResponseReturnValue:
    progress = report_progress(get_context(), report_id)
    return changing_part(
        progress, "research/_progress.html", progress=progress, facts=progress.facts, phases=PHASES
    )


# The body of a report as HTML, in parts of bounded size, with links from references to the quoted passages.


_ENTRY = re.compile(
    r'(<li id="ref-(\d+)" data-key="([^"]+)">)((?>(?:[^<]++|<(?!/li>|li id="ref-))*))(</li>)', re.DOTALL
)


#: Limit of a page of a document in characters; what takes long to render counts extra.
PART = 200_000
_SECTION, _MARK, _LINE, _CITATION = 300, 20, 10, 150
#: Characters that may begin markup, for each of which the parser searches an end.
_MARKS = re.compile(r"[|\[*_`<]")
#: The line below a table's header.
_RULE = re.compile(r"[ \t]*+\|?[ \t]*+:?-[-:| \t]*+")


def document_parts(document: ReportDocument) -> list[tuple[Section, ...]]:
    """Divide the sections into parts that are shown one at a time; most documents have one.

    A section above the limit is divided between lines, or within a line that is too long.
    """
    parts: list[list[Section]] = [[]]
    room = PART
    for section in document.sections:
        for piece in _pieces(section):
            weight = _SECTION + _weight(piece.body)
            if parts[-1] and weight > room:
                parts.append([])
                room = PART
            parts[-1].append(piece)
            room -= weight
    return [tuple(part) for part in parts]


def _weight(text: str) -> int:
    marks = _MARK * len(_MARKS.findall(text)) + _LINE * text.count("\n") + _CITATION * text.count("[@")
    return len(text) + marks


def _pieces(section: Section) -> Iterator[Section]:
    """Yield the section, or pieces of it; those after the first have no heading."""
    if _weight(section.body) <= PART:
        yield section
        return
    heading = section.heading
    for body in _bodies(section.body):
        yield section.model_copy(update={"heading": heading, "body": body})
        heading = ""


def _bodies(body: str) -> Iterator[str]:
    """Divide Markdown; a piece that begins inside a table repeats the table's header, unless it is long."""
    taken: list[str] = []
    header: list[str] = []
    weight, before = 0, ""
    for line in body.split("\n"):
        if not line.strip():
            header = []
        elif _RULE.fullmatch(line) and before.strip():
            header = [before, line]
        for piece in text_pieces(line, PART // (1 + _MARK)) if _weight(line) > PART else (line,):
            more = _LINE + _weight(piece)
            if taken and weight + more > PART:
                yield "\n".join(taken)
                taken = header[:] if header and _weight("".join(header)) < PART // 10 else []
                weight = sum(map(_weight, taken))
            taken.append(piece)
            weight += more
        before = line
    yield "\n".join(taken)


def report_html(report_id: uuid.UUID, document: ReportDocument, sections: Sequence[Section]) -> Markup:
    """Return the HTML of `to_html_body` with links to the sources' pages added to the references."""
    html = to_html_body(document, sections)
    quoted: dict[str, list[str]] = {}
    for key, claim in (found for section in sections for found in re.findall(MARKER, section.body)):
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


# The form to change the plan of a report before the research starts.


_MOVE = re.compile(r"(up|down|remove)-([0-9]{1,3})", re.ASCII)


@dataclass
class ResearchPlanForm:
    """Questions in order, numbers of researchers as typed, and the version that was seen."""

    questions: list[str]
    #: Numbers of researchers by kind, as typed.
    counts: dict[str, str]
    version: int
    errors: dict[str, str] = field(default_factory=dict)

    def plan(self) -> dict[str, Any]:
        """Return the plan to approve: the typed questions and numbers of researchers."""
        return {"questions": self.questions, "allocation": "".join(self.counts.values())}


def plan_form(facts: ReportFacts) -> ResearchPlanForm:
    questions = [str(question) for question in (facts.plan or {}).get("questions", [])]
    digits = facts.allocation_effective or facts.allocation_user or "111"
    return ResearchPlanForm(questions, dict(zip(KINDS, digits, strict=False)), facts.version)


def typed_plan(typed: MultiDict[str, str]) -> ResearchPlanForm:
    """Return the form that a person sent. Raises InvalidInputError if it has no version."""
    version = typed.get("version", type=whole_number)
    if version is None:
        raise InvalidInputError(ReportCode.FORM_INCOMPLETE)
    counts = {kind: typed.get(f"allocation_{kind}", "").strip() or "0" for kind in KINDS}
    return ResearchPlanForm([" ".join(text.split()) for text in typed.getlist("question")], counts, version)


def rearranged(form: ResearchPlanForm, action: str) -> bool:
    """Apply a button that only changes the form (add, up, down, remove); return False for another button."""
    questions = form.questions
    if action == "add":
        questions.append("")
        return True
    found = _MOVE.fullmatch(action)
    if found is None:
        return False
    move, at = found[1], whole_number(found[2])
    if move == "remove" and at < len(questions):
        del questions[at]
    elif move != "remove":
        first = at - 1 if move == "up" else at
        if 0 <= first < len(questions) - 1:
            questions[first : first + 2] = reversed(questions[first : first + 2])
    return True


def check_plan(form: ResearchPlanForm) -> bool:
    """Return whether the plan is valid, without empty and repeated questions; else set `errors`."""
    asked = list(dict.fromkeys(question for question in form.questions if question))
    if not asked:
        form.errors["questions"] = _("A plan needs at least one question.")
    elif len(asked) > MOST_QUESTIONS:
        form.errors["questions"] = _("A plan has at most %(most)d questions; remove some.", most=MOST_QUESTIONS)
    elif any(len(question) > LONGEST_QUESTION for question in asked):
        form.errors["questions"] = _(
            "A question has at most %(most)d characters; shorten it.", most=LONGEST_QUESTION
        )
    else:
        form.questions = asked
    if problem := counts_problem(form.counts):
        form.errors["allocation"] = problem
    return not form.errors
