"""Concepts taken away from complete reports: whether the loop names them and brings them back, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from langgraph.checkpoint.memory import InMemorySaver

from core.graphs.checkpoint_serializer import StrictSerializer
from research.citations import verify_quote
from research.document import ReportDocument
from research.sources.library import LibrarySource
from research.storage.progress import LibraryState
from research.supervision.analysis.by_rule import RuleAnalyst
from research.supervision.analysis.related_sources import LibrarySearch, related_sources
from research.supervision.guard import cited_keys
from research.supervision.integration.by_rule import integrate
from research.supervision.loop.graph import create_supervision_graph, run_supervision
from research.supervision.loop.nodes import SupervisionContext
from research.supervision.revisions import Revisions
from research.supervision.types import TIERS, Issue, explored_key
from research.text import content_stems
from scripts.bench.measure import Measure, at_least, at_most, exactly, measured
from scripts.bench.supervision.library import library
from scripts.bench.supervision.library_expander import LibraryExpander
from scripts.bench.supervision.reports import report
from scripts.bench.supervision.topics import Topic, topics
from services.context import Context
from tests.support.research.supervised import MemoryStore

_TIER = TIERS["standard"]
#: Issues of one complete report that are counted at most.
_MOST_FALSE = 10
#: Nouns that a concept may be named with or without.
_HEADS = re.compile(r"\b(?:theory|principle|model|framework|hypothesis|of|teoría|modelo|principio|efecto)\b", re.I)


@dataclass(frozen=True)
class Outcome:
    """Result of one subject."""

    topic: Topic
    found: bool
    closed: bool
    #: Topics of the issues that the loop looked into.
    named: tuple[str, ...]
    citations_lost: int
    sections_lost: int
    integrations: int
    #: Topics of issues on the complete report.
    false: tuple[str, ...]


def measure() -> tuple[list[Measure], list[Outcome]]:
    """Every figure, and what they are made of."""
    with library(topics()) as context:
        outcomes = [_supervised(context, topic) for topic in topics()]
    held_out = [outcome for outcome in outcomes if outcome.topic.held_out]
    return [*_measures(outcomes, held_out)], outcomes


def _measures(outcomes: list[Outcome], held_out: list[Outcome]) -> Iterator[Measure]:
    fields, spanish = {one.topic.field for one in outcomes}, sum(one.topic.language == "es" for one in outcomes)
    how = (
        f"{len(outcomes)} reports of {len(fields)} fields, {spanish} Spanish, one library of "
        f"{sum(len(one.topic.sources) for one in outcomes)} sources; every sentence about one concept taken away"
    )
    apart = f"Of these the {len(held_out)} in fields that no rule was made with"
    integrations = sum(one.integrations for one in outcomes)
    for suffix, some, said in (("", outcomes, how), ("_held_out", held_out, apart)):
        found = sum(one.found for one in some) / len(some)
        closed = sum(one.closed for one in some) / len(some)
        false = sum(bool(one.false) for one in some)
        bound = 2 * len(some) // len(outcomes)
        yield measured(f"planted_gaps_found{suffix}", found, "share", at_least(0.8), f"{said}; named as an issue")
        yield measured(
            f"planted_gaps_closed_with_verified_quote{suffix}", closed, "share", at_least(0.8),
            f"{said}; a quotation about it stands in the last version and in a source",
        )  # fmt: skip
        yield measured(
            f"false_gaps_on_complete_reports{suffix}", false, "reports", at_most(max(bound, 1)),
            f"{said}; complete reports with an issue of the tier's severity",
        )  # fmt: skip
    issues = sum(len(one.false) for one in outcomes)
    yield measured("false_issues_on_complete_reports", issues, "issues", None, "All issues of the same reports")
    for what in ("citations", "sections"):
        lost = sum(getattr(one, f"{what}_lost") for one in outcomes)
        yield measured(f"{what}_lost", lost, what, exactly(0), f"Over {integrations} integrations")


def _supervised(context: Context, topic: Topic) -> Outcome:
    planted, complete = report(topic, complete=False), report(topic, complete=True)
    search = _search(context, planted)
    store = MemoryStore(versions=[planted])
    analyse, expand = _analyst(search).analyse, LibraryExpander(search).expand
    supervision = SupervisionContext(_TIER, cast(Revisions, store), analyse, expand, integrate)
    graph = create_supervision_graph(InMemorySaver(serde=StrictSerializer()))
    result = run_supervision(graph, topic.name, {"supervision_id": topic.name, "version_no": 1}, supervision)
    issues = [attempt.issue for _, attempt in sorted(store.attempts.items()) if attempt.issue]
    pairs = list(pairwise(store.versions))
    return Outcome(
        topic=topic,
        found=any(_names(issue, topic) for issue in issues),
        closed=_is_closed(topic, store, search),
        named=tuple(issue.topic for issue in issues),
        citations_lost=sum(len(cited_keys(before) - cited_keys(after)) for before, after in pairs),
        sections_lost=sum(len(_sections(before) - _sections(after)) for before, after in pairs),
        integrations=result.integrations,
        false=tuple(_false(context, complete)),
    )


def _search(context: Context, document: ReportDocument) -> LibrarySearch:
    return LibrarySearch(LibrarySource(context.database), document)


def _analyst(search: LibrarySearch) -> RuleAnalyst:
    return RuleAnalyst(lambda _: related_sources(search, {}), lambda: LibraryState(1, 0))


def _false(context: Context, complete: ReportDocument) -> Iterator[str]:
    """Topics of the issues that are found, one after the other, where nothing is missing."""
    analyst, explored = _analyst(_search(context, complete)), list[str]()
    for iteration in range(1, _MOST_FALSE + 1):
        issue = analyst.analyse(complete, explored, iteration, _TIER).issue
        if issue is None:
            return
        explored.append(explored_key(issue))
        yield issue.topic


def _names(issue: Issue, topic: Topic) -> bool:
    """Whether the issue is about the concept: one's stems are among the other's, half of them at least."""
    wanted, said = _stems(topic.gap, topic), _stems(issue.topic, topic)
    return wanted <= said or (said <= wanted and len(said) * 2 >= len(wanted))


def _is_closed(topic: Topic, store: MemoryStore, search: LibrarySearch) -> bool:
    last = "\n".join(section.body for section in store.versions[-1].sections)
    held = {key: source.text for key, source in search(topic.gap)}
    claims = [claim for one in store.attempts.values() if one.integration for claim in one.integration.claims]
    return any(
        _stems(topic.gap, topic) <= _stems(claim.quote, topic)
        and claim.quote in last
        and verify_quote(claim.quote, claim.source_key, held).status == "verified"
        for claim in claims
    )


def _stems(text: str, topic: Topic) -> set[str]:
    return set(content_stems(_HEADS.sub(" ", text.replace("-", " ")), topic.language))


def _sections(document: ReportDocument) -> set[str]:
    return {section.key for section in document.sections if section.required and section.body.strip()}
