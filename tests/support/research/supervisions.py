"""Loops over reports as a programme officer meets them: under way, waiting for a decision, over."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from core.clock import utcnow
from core.error_codes import ErrorCode
from core.messages import Message
from core.models import Report, ReportPassage, ReportRevision, ReportSource, ReportSupervision, ReportVersion
from research.document import Reference, ReportDocument
from research.supervision.types import Issue, RefusalCode
from tests.support.research.reports import document, make_finished_report

SOURCE_TEXT = (
    "Attachment is a bond that a child forms with those who care for it. "
    "A father who comes every week becomes a secure base from which a child explores. "
    "The study followed ninety families over four years."
)
NEW_QUOTE = "A father who comes every week becomes a secure base from which a child explores."
NEW_SENTENCE = "Attachment theory explains it: a father who comes every week becomes a secure base [@hale2018#c9]."


def issue(topic: str = "attachment theory", **values: Any) -> Issue:
    """A gap of weight in the first section of the sample report."""
    given = {
        "topic": topic,
        "section": "findings",
        "issue_type": "underlying_theory",
        "severity": "significant",
        "rationale": "The findings are told without the theory that explains them.",
        "suggested_queries": (topic, f"{topic} fathers"),
        "foundational_concepts": ("secure base",),
        **values,
    }
    return Issue.model_validate(given)


def revised(before: ReportDocument | None = None, sentence: str = NEW_SENTENCE) -> ReportDocument:
    """The document of the sample report with a sentence more and its source."""
    before = before or document("What was found, version 2")
    first, *rest = before.sections
    return before.model_copy(
        update={
            "sections": (first.model_copy(update={"body": f"{first.body}\n\n{sentence}"}), *rest),
            "references": (
                *before.references,
                Reference(key="hale2018", kind="book", title="The secure base", authors=("Ines Hale",), year=2018),
            ),
        }
    )


def make_supervision(session: Session, report: Report | None = None, **values: Any) -> ReportSupervision:
    """A loop over a finished report that was asked for just now."""
    report = report or make_finished_report(session)
    version = report.current_version
    given = {"first_version": version, "last_version": version, "budget": {"usd": 2}, **values}
    loop = ReportSupervision(report_id=report.id, requested_by=report.requested_by, **given)
    session.add(loop)
    session.flush()
    return loop


def make_waiting_supervision(session: Session, report: Report | None = None, **values: Any) -> ReportSupervision:
    """A loop whose second attempt brought a revision that waits; the first found nothing."""
    given = {
        "status": "awaiting_decision",
        "tier": "comprehensive",
        "iterations": 2,
        "started_at": utcnow(),
        "spent": {"usd": 0.12, "calls": 4, "tokens": 9200, "minutes": 0.5},
        **values,
    }
    loop = make_supervision(session, report, **given)
    make_attempt(session, loop, 1, outcome="no_evidence", issue=issue("quantum breakfasts", severity="minor"))
    make_revision(session, loop, 2)
    return loop


def make_ended_supervision(session: Session, report: Report | None = None, **values: Any) -> ReportSupervision:
    """A loop that is over, with attempts of every outcome and every decision."""
    given = {
        "status": "done",
        "mode": "automatic",
        "tier": "high_quality",
        "iterations": 6,
        "integrations": 2,
        "ended_because": "circuit_breaker",
        "finished_at": utcnow(),
        **values,
    }
    loop = make_supervision(session, report, **given)
    decided = {"decided_by": loop.requested_by, "decided_at": utcnow(), "resumed_at": utcnow()}
    make_revision(session, loop, 1, status="accepted", made_version=loop.first_version, **decided)
    make_revision(session, loop, 2, status="rejected", reason="It is beside the point.", **decided)
    make_revision(session, loop, 3, status="applied", made_version=loop.first_version)
    make_attempt(session, loop, 4, outcome="already_explored")
    refused = [
        Message.of(RefusalCode.CITATIONS_LOST, keys=["okafor2019"]),
        Message.of(RefusalCode.SECTIONS_LOST, headings=["Costs"]),
    ]
    make_attempt(session, loop, 5, outcome="refused_by_guard", reasons=refused)
    failed = [Message.of(ErrorCode.MODEL_UNAVAILABLE)]
    make_attempt(session, loop, 6, outcome="failed", reasons=failed, issue=None)
    return loop


def make_attempt(session: Session, loop: ReportSupervision, iteration: int, **values: Any) -> ReportRevision:
    """An attempt that brought no revision unless `values` say otherwise."""
    gap = values.pop("issue", issue())
    report = session.get_one(Report, loop.report_id)
    given = {"outcome": "no_evidence", "base_version": loop.last_version, **values}
    attempt = ReportRevision(
        supervision_id=loop.id,
        report_id=loop.report_id,
        season_id=report.season_id,
        iteration=iteration,
        issue=gap.model_dump(mode="json") if gap else None,
        **given,
    )
    session.add(attempt)
    session.flush()
    session.refresh(attempt)
    return attempt


def make_revision(session: Session, loop: ReportSupervision, iteration: int = 1, **values: Any) -> ReportRevision:
    """A revision that waits, with its new source and the claim that was checked for it."""
    _source(session, loop)
    base = session.get_one(ReportVersion, (loop.report_id, loop.last_version))
    given = {
        "outcome": "integrated",
        "status": "pending",
        "source_keys": ["hale2018"],
        "document": revised(ReportDocument.model_validate(base.document)).model_dump(mode="json"),
        "claims": [claim()],
        "spent": {"usd": 0.04, "calls": 2, "tokens": 3100},
        **values,
    }
    return make_attempt(session, loop, iteration, **given)


def claim() -> dict[str, Any]:
    """What was checked for the sentence that is new, as a revision keeps it."""
    start = SOURCE_TEXT.index(NEW_QUOTE)
    return {
        "claim_id": "c9",
        "sentence": NEW_SENTENCE,
        "quote": NEW_QUOTE,
        "claimed_source_key": "hale2018",
        "source_key": "hale2018",
        "start_char": start,
        "end_char": start + len(NEW_QUOTE),
        "page_no": None,
        "status": "verified",
        "verification": None,
    }


def _source(session: Session, loop: ReportSupervision) -> None:
    key = "hale2018"
    if session.get(ReportSource, (loop.report_id, key)):
        return
    session.add(
        ReportSource(
            report_id=loop.report_id,
            key=key,
            kind="book",
            provider="library",
            title="The secure base",
            authors=["Ines Hale"],
            year=2018,
            publisher="Invented Press",
            domain="Invented Press",
            status="read",
            char_count=len(SOURCE_TEXT),
            round_index=1,
        )
    )
    session.flush()
    session.add(
        ReportPassage(
            report_id=loop.report_id,
            source_key=key,
            position=0,
            start_char=0,
            end_char=len(SOURCE_TEXT),
            text=SOURCE_TEXT,
        )
    )
    session.flush()
