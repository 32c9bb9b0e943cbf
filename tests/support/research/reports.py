"""Reports as a programme officer meets them: asked for, under way, with a plan that waits, and written."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import (
    Export,
    Profile,
    Report,
    ReportClaim,
    ReportGap,
    ReportPassage,
    ReportRound,
    ReportSource,
    ReportTask,
    ReportVersion,
)
from research.document import Reference, ReportDocument, Section
from research.memo import CatalogCandidate, CatalogMemo, Claim, FieldStatus, Gap, SourceEntry, memo_to_json
from research.report_type import ReportType
from services.context import Context
from services.exports.making import make_export
from tests.support.factories import make_profile, make_season

QUESTION = "What do school programmes do that bring fathers in?"
PAGES = (
    "Riverbend Breakfasts began in 2017 with two schools. Every second Friday the doors open at seven. ",
    "Attendance of fathers rose from 31 to 58 per cent within two years. The cost was $14 for each family. ",
    "Nothing was learned about grandfathers. The programme ended its first phase in 2020.",
)
QUOTE = "Attendance of fathers rose from 31 to 58 per cent within two years."
OTHER_TEXT = "The reading evenings of Marlow cost nothing. Volunteers of the parish lead them. "
OTHER_QUOTE = "Volunteers of the parish lead them."
PLAN = {
    "questions": ["What do the programmes do?", "What do they cost?", "How were they evaluated?"],
    "angles": ["costs", "evaluations"],
    "reasoning": "By rule: the question, its costs and its evaluations.",
    "allocation": {"web_count": 1, "academic_count": 1, "book_count": 1},
}
ALLOCATION = {
    "user": "210",
    "model": None,
    "effective": {"web_count": 2, "academic_count": 1, "book_count": 0},
    "notes": [{"code": "allocation_asked_for", "params": {}}],
}


def make_report(session: Session, owner: Profile | None = None, **values: Any) -> Report:
    """A report that was asked for just now."""
    owner = owner or make_profile(session, "officer")
    given = {"query": QUESTION, "kinds": ["web", "academic", "book"], **values}
    report = Report(season_id=make_season(session).id, requested_by=owner.id, **given)
    session.add(report)
    session.flush()
    session.refresh(report)
    return report


def make_waiting_report(session: Session, owner: Profile | None = None, **values: Any) -> Report:
    """A report whose plan waits for a person."""
    given = {
        "status": "awaiting_plan",
        "phase": "awaiting_plan",
        "approve_plan": True,
        "plan": PLAN,
        "allocation": {**ALLOCATION, "user": None},
        **values,
    }
    return make_report(session, owner, **given)


def make_running_report(session: Session, owner: Profile | None = None, **values: Any) -> Report:
    """A report in its second round: one round over with its memo, tasks of every status, gaps, sources."""
    given = {
        "status": "running",
        "phase": "round_2",
        "report_type": "catalog",
        "target_items": 5,
        "plan": PLAN,
        "allocation": ALLOCATION,
        "budget": {"calls": 20, "usd": 2},
        "spent": {"calls": 20, "tokens": 5400, "usd": 0.42, "minutes": 1.25},
        "started_at": utcnow(),
        **values,
    }
    report = make_report(session, owner, **given)
    session.add(ReportRound(report_id=report.id, round_index=1, memo=memo_to_json(_memo()), ended_at=utcnow()))
    session.add(ReportRound(report_id=report.id, round_index=2))
    _tasks(session, report)
    _gaps(session, report)
    _sources(session, report)
    session.flush()
    return report


def make_finished_report(session: Session, owner: Profile | None = None, **values: Any) -> Report:
    """A report that can be read: two versions, quotations verified, moved and dropped."""
    given = {
        "status": "done",
        "phase": "done",
        "report_type": "narrative",
        "target_items": None,
        "ended_because": "complete",
        "finished_at": utcnow(),
        "current_version": 2,
        "title": document().title,
        **values,
    }
    report = make_running_report(session, owner, **given)
    session.add(ReportRound(report_id=report.id, round_index=3, skipped_because="no_claims", ended_at=utcnow()))
    for version_no, note in ((1, ""), (2, "Heading shortened.")):
        session.add(
            ReportVersion(
                report_id=report.id,
                version_no=version_no,
                document=document(f"What was found, version {version_no}").model_dump(mode="json"),
                origin="synthesis" if version_no == 1 else "edited",
                made_by=None if version_no == 1 else report.requested_by,
                note=note,
            )
        )
    _claims(session, report)
    session.flush()
    return report


def document(heading: str = "What was found") -> ReportDocument:
    """The document of the finished report."""
    found = "Fathers came more often, from 31 to 58 per cent [@okafor2019#c1]. "
    return ReportDocument(
        title="School programmes that bring fathers in",
        query=QUESTION,
        sections=(
            Section(
                key="findings", heading=heading, body=f"{found}Volunteers lead the evenings [@marlow2021#c2]."
            ),
            Section(key="costs", heading="Costs", body="A family cost fourteen dollars [@okafor2019#c3]."),
        ),
        references=(
            Reference(
                key="okafor2019",
                kind="academic",
                title="Breakfast with fathers",
                authors=("Ada Okafor",),
                year=2019,
                publisher="Journal of Invented Schools",
                doi="10.5555/breakfast.2019",
            ),
            Reference(
                key="marlow2021", kind="web", title="Reading evenings", url="https://marlow.example.org/evenings"
            ),
        ),
        limits=("Nothing was found about grandfathers.",),
    )


def make_files(context: Context) -> None:
    """Do the work of a worker: make the files of reports that were asked for."""
    ids = context.database.scalars(select(Export.id).where(Export.status == "queued"))
    for export_id in ids:
        assert make_export(context, export_id)


def _memo() -> CatalogMemo:
    return CatalogMemo(
        query=QUESTION,
        report_type=ReportType.CATALOG,
        round_index=1,
        tasks_completed=2,
        tasks_remaining=12,
        unique_citations=2,
        unique_domains=2,
        pages_extracted=3,
        themes_covered=["attendance", "breakfasts"],
        sources_summary=[
            SourceEntry("https://marlow.example.org/evenings", "example.org", "Reading evenings", True, "overview")
        ],
        gaps=[
            Gap(
                "missing_field", "Costs of Riverbend Breakfasts", 1, candidate_name="Riverbend Breakfasts", id="g1"
            )
        ],
        claims_to_verify=[
            Claim(QUOTE, "https://doi.org/10.5555/breakfast.2019", "high", "fathers attendance", "Journal")
        ],
        tasks_failed=1,
        target_items=5,
        candidates=[CatalogCandidate("Riverbend Breakfasts", fields={"pricing_model": FieldStatus.MISSING})],
        required_fields=["name", "pricing_model"],
    )


def _tasks(session: Session, report: Report) -> None:
    rows = (
        ("r1-1", 1, "web", "done", None),
        ("r1-2", 1, "academic", "failed", "source_unavailable"),
        ("r2-1", 2, "web", "running", None),
        ("r2-2", 2, "book", "queued", None),
    )
    for task_id, round_index, kind, status, error in rows:
        session.add(
            ReportTask(
                report_id=report.id,
                task_id=task_id,
                round_index=round_index,
                kind=kind,
                question="What do they cost?",
                queries=["father breakfast programme cost"],
                status=status,
                error_code=error,
                brief={"position": 0},
            )
        )


def _gaps(session: Session, report: Report) -> None:
    rows = (
        ("g1", "missing_field", "Costs of Riverbend Breakfasts", "closed", ["okafor2019"], 2),
        ("g2", "missing_topic", "Nothing yet about grandfathers", "open", [], None),
    )
    for gap_id, gap_type, description, state, evidence, closed in rows:
        session.add(
            ReportGap(
                report_id=report.id,
                gap_id=gap_id,
                gap_type=gap_type,
                description=description,
                priority=1,
                state=state,
                evidence=evidence,
                opened_round=1,
                closed_round=closed,
            )
        )


def _sources(session: Session, report: Report) -> None:
    common = {"report_id": report.id, "round_index": 1, "task_id": "r1-1"}
    okafor, marlow = document().references
    session.add(
        ReportSource(
            **common,
            key=okafor.key,
            kind="academic",
            provider="library",
            title=okafor.title,
            authors=list(okafor.authors),
            year=okafor.year,
            publisher=okafor.publisher,
            doi=okafor.doi,
            domain="Journal of Invented Schools",
            language="en",
            status="read",
            char_count=sum(map(len, PAGES)),
        )
    )
    session.add(
        ReportSource(
            **common,
            key=marlow.key,
            kind="web",
            provider="tavily",
            title=marlow.title,
            url=marlow.url,
            domain="example.org",
            status="read",
            char_count=len(OTHER_TEXT),
        )
    )
    session.add(
        ReportSource(
            **common,
            key="gone",
            kind="web",
            provider="tavily",
            title="A page that is gone",
            url="https://gone.example.org/",
            domain="example.org",
            status="failed",
            error_code="source_refused",
        )
    )
    session.flush()
    _passages(session, report, okafor.key, PAGES)
    _passages(session, report, marlow.key, (OTHER_TEXT,), paged=False)


def _passages(session: Session, report: Report, key: str, texts: tuple[str, ...], paged: bool = True) -> None:
    start = 0
    for position, text in enumerate(texts):
        session.add(
            ReportPassage(
                report_id=report.id,
                source_key=key,
                position=position,
                page_no=position + 1 if paged else None,
                start_char=start,
                end_char=start + len(text),
                text=text,
            )
        )
        start += len(text)


def _claims(session: Session, report: Report) -> None:
    whole = "".join(PAGES)
    cost = "The cost was $14 for each family."
    rows = (
        ("c1", "Fathers came more often.", QUOTE, "okafor2019", "okafor2019", whole, "verified", "confirmed"),
        (
            "c2",
            "Volunteers lead the evenings.",
            OTHER_QUOTE,
            "okafor2019",
            "marlow2021",
            OTHER_TEXT,
            "misattributed",
            None,
        ),
        ("c3", "A family cost fourteen dollars.", cost, "okafor2019", "okafor2019", whole, "verified", None),
        ("c4", "Every father came.", "All fathers came every day.", "okafor2019", None, "", "fabricated", None),
    )
    for claim_id, sentence, quote, claimed, key, text, status, verification in rows:
        start = text.find(quote) if key else None
        session.add(
            ReportClaim(
                report_id=report.id,
                claim_id=claim_id,
                sentence=sentence,
                quote=quote,
                claimed_source_key=claimed,
                source_key=key,
                start_char=start,
                end_char=None if start is None else start + len(quote),
                page_no=2 if key == "okafor2019" else None,
                status=status,
                verification=verification,
                round_index=3,
            )
        )
