"""A report over every provider and a model, all on this machine, all with faults: it says what is true."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

import services.reports.run
from core.config import load_settings
from core.models import (
    Report,
    ReportCall,
    ReportClaim,
    ReportPassage,
    ReportRound,
    ReportSource,
    ReportTask,
    ReportVersion,
)
from research.document import MARKER, ReportDocument
from research.sources.providers import open_sources
from services.context import Context
from services.reports.request import ReportRequest, request_report
from services.reports.run import run_report
from tests.support.office import make_person
from tests.support.research.markers import marker_problems
from tests.support.research.research_library import PAPERS, put_papers
from tests.support.servers import firecrawl_server, openalex_server, openlibrary_server, tavily_server
from tests.support.servers.answering_model import AnsweringModel
from tests.support.servers.firecrawl_server import FirecrawlServer
from tests.support.servers.groq_server import invalid_json, refusal, too_many
from tests.support.servers.loopback import DROPPED, GATEWAY_PAGE
from tests.support.servers.openalex_server import OpenAlexServer, work
from tests.support.servers.openlibrary_server import OpenLibraryServer, book
from tests.support.servers.provider_server import NOT_JSON
from tests.support.servers.tavily_server import TavilyServer, result
from tests.support.servers.web_pages import WebPages, html, redirect
from tests.support.site import tidy_context

QUESTION = "What do school programmes do that bring fathers in, and what do they cost?"
WEB = [paper for paper in PAPERS if paper.kind == "web"]
ACADEMIC = [paper for paper in PAPERS if paper.kind == "academic"]
BOOKS = [paper for paper in PAPERS if paper.kind == "book"]
GONE = "https://gone.example/fathers"


@dataclass
class World:
    """Every service that there is."""

    tavily: TavilyServer
    firecrawl: FirecrawlServer
    openalex: OpenAlexServer
    openlibrary: OpenLibraryServer
    pages: WebPages
    model: AnsweringModel


def url_of(place: int) -> str:
    return f"https://site{place}.example/fathers"


@pytest.fixture
def world() -> Iterator[World]:
    results = [
        result(url_of(place), paper.title, " ".join(paper.paragraphs)[:200]) for place, paper in enumerate(WEB)
    ]
    # The first of all hits cannot be had any more.
    results.insert(0, result(GONE, "School programmes that bring fathers in, and their cost", "fathers"))
    works = [
        work(place, paper.title, " ".join(paper.paragraphs), venue=paper.publisher, authors=[paper.author])
        for place, paper in enumerate(ACADEMIC, start=1)
    ]
    works.append(work(90, "Fathers in school programmes: withdrawn", "Nothing of this is so.", retracted=True))
    works.append(work(91, "Fathers in school programmes: no abstract"))
    books = [
        book(place, paper.title, " ".join(paper.paragraphs), publisher=paper.publisher, isbn=())
        for place, paper in enumerate(BOOKS, start=1)
    ]
    pages = {
        url_of(place).removeprefix("https://"): html(paper.title, *paper.paragraphs)
        for place, paper in enumerate(WEB)
    }
    with ExitStack() as stack:
        yield World(
            stack.enter_context(TavilyServer(results, [tavily_server.refusal(429, "slow down", "0")])),
            stack.enter_context(FirecrawlServer([], [firecrawl_server.refusal(402, "no credits")] * 99)),
            stack.enter_context(OpenAlexServer(works, [openalex_server.refusal(503), NOT_JSON])),
            stack.enter_context(OpenLibraryServer(books, [DROPPED, openlibrary_server.refusal(500)])),
            stack.enter_context(WebPages({**pages, "gone.example/other": html("Other", "Nothing.")})),
            stack.enter_context(AnsweringModel()),
        )


@pytest.fixture
def context(chosen: dict[str, Any], world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    opened = partial(
        open_sources, resolve=world.pages.resolve, page_transport=world.pages.transport, sleep=lambda _: None
    )
    monkeypatch.setattr(services.reports.run, "open_sources", opened)
    world.model.script[:] = [too_many("0"), GATEWAY_PAGE, invalid_json("{")]
    settings = load_settings(
        **chosen,
        groq_api_key=world.model.key,
        groq_base_url=world.model.url,
        openalex_api_key=world.openalex.key,
        openalex_base_url=world.openalex.url,
        openlibrary_contact=world.openlibrary.contact,
        openlibrary_base_url=world.openlibrary.url,
        tavily_api_key=world.tavily.key,
        tavily_base_url=world.tavily.url,
        firecrawl_api_key=world.firecrawl.key,
        firecrawl_base_url=world.firecrawl.url,
        source_timeout_seconds=5.0,
        source_requests_per_second=1000.0,
    )
    with tidy_context(settings) as opened_context:
        yield opened_context


def test_a_report_over_faulty_services_is_truthful(context: Context, world: World) -> None:
    report_id = request_report(context, make_person(context, "officer"), ReportRequest(QUESTION, allocation="111"))
    assert run_report(context, report_id)
    with context.database.session() as session:
        report = session.get_one(Report, report_id)
        document = ReportDocument.model_validate(session.get_one(ReportVersion, (report_id, 1)).document)
        sources = session.scalars(select(ReportSource)).all()
        claims = session.scalars(select(ReportClaim)).all()
        tasks = session.scalars(select(ReportTask)).all()
        first = session.get_one(ReportRound, (report_id, 1))
        failed_calls = session.scalars(select(ReportCall).where(ReportCall.error_code.is_not(None))).all()
    assert (report.status, report.ended_because) == ("done", "complete")
    assert {task.kind for task in tasks if task.status == "done"} == {"web", "academic", "book"}
    read = [source for source in sources if source.status == "read"]
    assert {source.provider for source in read} == {"tavily", "openalex", "openlibrary"}
    assert not any("withdrawn" in source.title for source in sources)
    failed = {(source.provider, source.error_code) for source in sources if source.status == "failed"}
    assert ("firecrawl", "source_refused") in failed
    assert any(source.url == GONE and source.status == "failed" for source in sources)
    for server in (world.tavily, world.firecrawl, world.openalex, world.openlibrary, world.model):
        assert not getattr(server, "refused", [])
    assert not world.model.faults
    rule, proposed = (
        "Missing coverage: ",
        [gap for gap in (first.memo or {})["gaps"] if gap["gap_type"] == "missing_topic"],
    )
    assert any(not gap["description"].startswith(rule) for gap in proposed), "what the model sees lacking"
    assert not failed_calls, "three attempts and a repair are enough"

    assert document.references
    assert marker_problems(document) == []
    assert any("firecrawl" in limit for limit in document.limits)
    texts = texts_of(context, report_id)
    published = markers_of(document)
    for claim in claims:
        if claim.claim_id in published:
            assert claim.source_key is not None and claim.status != "fabricated"
            assert texts[claim.source_key][claim.start_char : claim.end_char] == claim.quote
    assert published <= {claim.claim_id for claim in claims}


def test_when_every_provider_is_down_the_library_answers(context: Context, world: World) -> None:
    put_papers(context.database)
    for server, down in (
        (world.tavily, tavily_server.refusal(500)),
        (world.openalex, openalex_server.refusal(500)),
        (world.openlibrary, openlibrary_server.refusal(500)),
    ):
        server.faults[:] = [down] * 999
    report_id = request_report(
        context, make_person(context, "officer"), ReportRequest(QUESTION, tier="quick", budget={"calls": 0})
    )
    assert run_report(context, report_id)
    with context.database.session() as session:
        sources = session.scalars(select(ReportSource)).all()
        document = ReportDocument.model_validate(session.get_one(ReportVersion, (report_id, 1)).document)
    assert {source.provider for source in sources if source.status == "read"} == {"library"}
    assert document.references
    for provider in ("firecrawl", "openalex", "openlibrary", "tavily"):
        assert any(provider in limit for limit in document.limits)


def texts_of(context: Context, report_id: uuid.UUID) -> dict[str, str]:
    with context.database.session() as session:
        rows = session.scalars(
            select(ReportPassage)
            .where(ReportPassage.report_id == report_id)
            .order_by(ReportPassage.source_key, ReportPassage.position)
        )
        texts: dict[str, str] = {}
        for row in rows:
            texts[row.source_key] = texts.get(row.source_key, "") + row.text
        return texts


def markers_of(document: ReportDocument) -> set[str]:

    bodies = "\n".join(section.body for section in document.sections)
    return {match["claim"] for match in re.finditer(MARKER, bodies) if match["claim"]}


def test_a_model_that_is_away_is_told_of(context: Context, world: World) -> None:
    put_papers(context.database)
    world.model.script[:] = [refusal(500, "away")] * 999
    context.settings = context.settings.model_copy(update={"llm_max_attempts": 1})
    report_id = request_report(context, make_person(context, "officer"), ReportRequest(QUESTION, tier="quick"))
    assert run_report(context, report_id)
    with context.database.session() as session:
        report = session.get_one(Report, report_id)
        document = ReportDocument.model_validate(session.get_one(ReportVersion, (report_id, 1)).document)
        calls = session.scalars(select(ReportCall)).all()
    assert (report.status, report.ended_because) == ("done", "complete")
    assert document.extractive
    assert any("language model gave no usable answer" in limit for limit in document.limits)
    assert {call.error_code for call in calls} == {"model_unavailable"}
    # Nobody waits for the others.
    assert report.spent["calls"] == len(world.model.requests) == 3


def test_a_redirect_does_not_lead_past_the_lists(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = {
        url_of(place).removeprefix("https://"): redirect("https://unwanted.example/fathers")
        for place in range(len(WEB))
    }
    moved = WebPages({**elsewhere, "unwanted.example/fathers": html(WEB[0].title, *WEB[0].paragraphs)})
    opened = partial(open_sources, resolve=moved.resolve, page_transport=moved.transport, sleep=lambda _: None)
    monkeypatch.setattr(services.reports.run, "open_sources", opened)
    request = ReportRequest(QUESTION, allocation="1", domains_denied=["unwanted.example"], budget={"calls": 0})
    report_id = request_report(context, make_person(context, "officer"), request)
    with moved:
        assert run_report(context, report_id)
    sources = context.database.scalars(select(ReportSource).where(ReportSource.provider == "tavily"))
    assert {source.error_code for source in sources} == {"source_forbidden", "source_unavailable"}
    assert not [source for source in sources if source.status == "read"]
