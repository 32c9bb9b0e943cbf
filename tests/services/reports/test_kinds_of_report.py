"""A catalog, a report about essays, a report in Spanish: each from documents of its own."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select

from core.models import Report, ReportClaim, ReportGap, ReportRound, ReportSource, ReportTask, ReportVersion
from research.document import ReportDocument
from services.context import Context
from services.reports.request import ReportRequest, request_report
from services.reports.run import run_report
from tests.support.office import make_person
from tests.support.research.research_library import Paper, put_papers

ESSAYS = tuple(
    Paper("essay", f"Essay of {name}, grade {grade}", name, 2026, f"Essays of {name}", (text,))
    for name, grade, text in (
        ("M. V.", 4, "My father cooks breakfast for his children every Sunday and he sings while he cooks."),
        ("J. Q.", 5, "My father fixes bicycles for the children of our street and never asks for money."),
        ("A. R.", 3, "In the evening my father reads to us children, although his eyes are tired from work."),
    )
)
SPANISH = (
    Paper(
        "web",
        "Desayunos con papá",
        "Lucía Montalvo",
        2022,
        "Red Escolar del Valle",
        (
            "El programa Desayunos con papá atrae a los padres a la escuela con un desayuno mensual.",
            "En 2022 los desayunos atrajeron a 87 padres, y el programa costó 900 dólares al año.",
        ),
        language="es",
    ),
    Paper(
        "academic",
        "Padres en la escuela: una evaluación",
        "Héctor Valdivia",
        2020,
        "Revista Imaginaria de Educación",
        ("Los programas que invitan a los padres por su nombre atraen a más padres a la escuela.",),
        language="es",
    ),
)


def researched(context: Context, query: str, **values: Any) -> tuple[uuid.UUID, ReportDocument]:
    report_id = request_report(context, make_person(context, "officer"), ReportRequest(query, **values))
    assert run_report(context, report_id)
    with context.database.session() as session:
        assert session.get_one(Report, report_id).status == "done"
        return report_id, ReportDocument.model_validate(session.get_one(ReportVersion, (report_id, 1)).document)


def test_essays_are_read_for_questions_about_them(context: Context) -> None:
    put_papers(context.database, ESSAYS)
    _, about = researched(context, "What do this season's essays say fathers do for their children?")
    assert {reference.kind for reference in about.references} >= {"essay"}
    _, other = researched(context, "What do fathers do for their children?")
    assert "essay" not in {reference.kind for reference in other.references}


def test_a_question_in_spanish(context: Context) -> None:
    put_papers(context.database, SPANISH)
    report_id, document = researched(context, "¿Qué hacen los programas para atraer a los padres a la escuela?")
    titles = {paper.title for paper in SPANISH}
    assert document.language == "es"
    assert document.references
    assert {reference.title for reference in document.references} <= titles
    read = context.database.scalars(select(ReportSource.title).where(ReportSource.report_id == report_id))
    assert set(read) == titles


def test_without_a_model_items_that_are_asked_for_are_passages_on_what_they_are_asked_for(
    context: Context,
) -> None:
    report_id, document = researched(context, "Identify 3 programmes for fathers with prices and evaluations")
    assert document.extractive and document.report_type == "narrative"
    told = [*(section.heading for section in document.sections), *document.limits]
    assert any("prices" in one.casefold() for one in told) and any("evaluations" in one.casefold() for one in told)
    with context.database.session() as session:
        memos = session.scalars(select(ReportRound.memo).where(ReportRound.report_id == report_id)).all()
        gaps = session.scalars(select(ReportGap).where(ReportGap.report_id == report_id)).all()
        tasks = session.scalars(select(ReportTask).where(ReportTask.report_id == report_id)).all()
    assert not any(memo.get("candidates") or memo["claims_to_verify"] for memo in memos if memo)
    assert {gap.gap_id for gap in gaps} >= {task.gap_id for task in tasks if task.gap_id}
    last = [memo for memo in memos if memo][-1]
    missing = [limit.partition(": ")[2] for limit in document.limits if limit.startswith("No passage")]
    assert sorted(missing) == sorted(last["not_found"]), "memo and text agree on what has no passage"


@pytest.mark.parametrize("tier", ["quick", "comprehensive"])
def test_every_published_quotation_stands_in_its_source(context: Context, tier: str) -> None:
    report_id, document = researched(context, "What do programmes for fathers cost?", tier=tier)
    bodies = "".join(section.body for section in document.sections)
    with context.database.session() as session:
        claims = session.scalars(select(ReportClaim).where(ReportClaim.report_id == report_id)).all()
        sources = {
            source.key: source
            for source in session.scalars(select(ReportSource).where(ReportSource.report_id == report_id))
        }
    published = [claim for claim in claims if f"#{claim.claim_id}]" in bodies]
    assert published
    for claim in published:
        assert claim.source_key is not None and sources[claim.source_key].status == "read"
