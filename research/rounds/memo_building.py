"""Build the memo after a round from its results, and find the topics that they cover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from research.citations.claims import quantities_in
from research.config import ResearchConfig
from research.gap_detection import (
    alike,
    candidates_after,
    detect_gaps,
    folded_topic,
    required_fields,
    topic_evidence,
    wanted_items,
)
from research.memo import (
    DIVERSE_SOURCES,
    CatalogMemo,
    Finding,
    Gap,
    GapState,
    KnownFinding,
    ResearchMemo,
    SourceEntry,
    WorkerResult,
    domains_after,
    summarised_sources,
    useful,
)
from research.queries import choose_claims, is_on_money
from research.readers.findings import is_label, states
from research.readers.protocol import SourceText
from research.report_type import ReportType
from research.text.language import content_stems
from research.text.meaning import Meaning, NoMeaning, Text, covering, rank_texts

MAX_THEMES = 5
#: Most findings in the memo, and most characters of one.
MAX_FINDINGS, _FINDING_CHARS = 24, 300
#: Claims are chosen after Round 2, when gaps have been filled, for Round 3 to verify.
_CLAIMS_AFTER = 2


def build_round_memo(
    query: str,
    report_type: ReportType,
    round_index: int,
    worker_results: Sequence[WorkerResult],
    previous_memo: ResearchMemo | None,
    config: ResearchConfig,
    *,
    earlier_results: Sequence[WorkerResult] = (),
    aspects: Sequence[str] = (),
    meaning: Meaning | None = None,
    verifies: bool = True,
) -> ResearchMemo:
    """Return the memo of a round.

    `worker_results`: the results of this round only, failed ones included; a failed task does not count towards
    the limit of tasks. `earlier_results`: those of earlier rounds, from which claims may also be chosen.
    `aspects`: those of the plan. `meaning`: orders claims by nearness to the question; the default is by words.
    `verifies`: whether Round 3 verifies claims; a reading list makes none.
    """
    results, is_catalog = useful(worker_results), report_type == ReportType.CATALOG
    nothing = (CatalogMemo if is_catalog else ResearchMemo)(
        query, report_type, 0, 0, config.max_tasks_total, 0, 0, 0
    )
    before = previous_memo or nothing
    sources = [*before.sources_summary, *_relevant(results)]
    open_before = list(aspects) if previous_memo is None else before.not_found
    covered = [topic for topic in open_before if topic_evidence(topic, results)]
    completed = before.tasks_completed + len(results)
    memo = replace(
        before,
        round_index=round_index,
        tasks_completed=completed,
        tasks_remaining=max(config.max_tasks_total - completed, 0),
        unique_citations=before.unique_citations + _new_citations(results, before.sources_summary),
        unique_domains=domains_after(results, previous_memo),
        pages_extracted=before.pages_extracted + _pages(results),
        themes_covered=list(dict.fromkeys([*before.themes_covered, *covered]))[:MAX_THEMES],
        sources_summary=summarised_sources(sources),
        gaps=detect_gaps(
            report_type, round_index, worker_results, previous_memo, config, query=query, aspects=aspects
        ),
        claims_to_verify=[],
        tasks_failed=before.tasks_failed + len(worker_results) - len(results),
        findings=_known_findings(before.findings, results, sources),
        not_found=[topic for topic in open_before if topic not in covered],
    )
    if isinstance(memo, CatalogMemo):
        memo.required_fields, memo.target_items = required_fields(config, query), wanted_items(config, query)
        memo.candidates = candidates_after(results, previous_memo, config, query)
    if round_index == _CLAIMS_AFTER and verifies:
        every = [*useful(earlier_results), *results]
        candidates = memo.candidates if isinstance(memo, CatalogMemo) else []
        memo.claims_to_verify = choose_claims(query, every, candidates, config.max_claims, meaning or NoMeaning())
    return memo


def _relevant(results: Sequence[WorkerResult]) -> list[SourceEntry]:
    """Return the sources of a round with the kind of their findings: prices, other figures, text or none."""
    quotes: dict[str, list[str]] = {}
    for finding in (finding for result in results for finding in result.findings):
        quotes.setdefault(finding.source_key, []).append(finding.quote)
    sources = [one for result in results for one in result.sources]
    return [replace(one, relevance=_relevance(quotes.get(one.key, ()))) for one in sources]


def _relevance(quotes: Iterable[str]) -> str:
    quotes_found = list(quotes)
    if any(map(is_on_money, quotes_found)):
        return "pricing"
    if any(map(quantities_in, quotes_found)):
        return "case_study"
    return "overview" if quotes_found else "other"


def _new_citations(results: Iterable[WorkerResult], before: Iterable[SourceEntry]) -> int:
    known = {source.key or source.url for source in before if source.has_evidence}
    read = {source.key or source.url for result in results for source in result.sources if source.has_evidence}
    return len(read - known)


def _pages(results: Iterable[WorkerResult]) -> int:
    """Return the number of pages with findings; a source without pages counts as one."""
    return len({(finding.source_key, finding.page_no) for result in results for finding in result.findings})


def _known_findings(
    before: Sequence[KnownFinding], results: Iterable[WorkerResult], sources: Iterable[SourceEntry]
) -> list[KnownFinding]:
    """Return the best findings so far, one of each question before the second of any."""
    titles = {source.key: source.title for source in sources}
    new = [
        KnownFinding(
            result.question,
            " ".join(finding.quote.split())[:_FINDING_CHARS],
            titles.get(finding.source_key, ""),
            finding.source_key,
        )
        for result in results
        for finding in result.findings
    ]
    by_question: dict[str, list[KnownFinding]] = {}
    for one in {finding.text: finding for finding in [*new, *before]}.values():
        by_question.setdefault(one.question, []).append(one)
    in_turns = zip_longest(*by_question.values())
    return [one for turn in in_turns for one in turn if one is not None][:MAX_FINDINGS]


# The topics of a round (aspects of the plan and missing topics), and the findings that cover them.


#: The states of gaps that may still be closed.
_WAITING = (GapState.OPEN, GapState.UNFILLABLE)


def open_topics(aspects: Sequence[str], previous: ResearchMemo | None) -> list[str]:
    """Return the plan's aspects and the topics of gaps that may still be closed."""
    topics = (*filter(None, aspects), *_topics(previous.gaps if previous else (), *_WAITING).values())
    return list({folded_topic(topic): topic for topic in topics}.values())


def not_found(memo: ResearchMemo) -> list[str]:
    """Return the memo's topics without a finding, and those of the gaps that are not closed."""
    found = set(map(folded_topic, _topics(memo.gaps, GapState.CLOSED).values()))
    once: dict[str, str] = {}
    for topic in (*memo.not_found, *_topics(memo.gaps, *_WAITING).values()):
        once.setdefault(folded_topic(topic), topic)
    return [topic for folded, topic in once.items() if folded not in found]


def cover(
    findings: Sequence[Finding],
    topics: Sequence[str],
    texts: Mapping[str, SourceText],
    meaning: Meaning,
    query: str,
) -> None:
    """Add to findings the topics that they cover, because they are near them or answer them."""
    passages = _texts(findings, texts)
    near = covering(topics, passages, meaning, query)
    titles = [texts[finding.source_key].reference.title for finding in findings]
    titled = [Text(f"{title} {one.text}", one.language) for title, one in zip(titles, passages, strict=True)]
    scores = zip(rank_texts(query, passages, meaning), rank_texts(query, titled, NoMeaning()), strict=True)
    related = [max(pair) > 0 for pair in scores]
    for at, finding in enumerate(findings):
        finding.topics = [
            topic
            for topic, places in zip(topics, near, strict=True)
            if at in places or (related[at] and answers_topic(passages[at], titles[at], topic, query))
        ]


def answers_topic(text: Text, title: str, topic: str, query: str) -> bool:
    """Return whether a text on the subject of the request, with its source's title, answers a topic.

    It must have all words that the topic adds to the request, such as "study" in "studies of school starts", or
    state a fact of the kind, such as an amount of money for "costs"; a topic that adds none asks what the request
    asks: "why". Text and title must have at least half of the topic's other words, so that the price of something
    else does not count.
    """
    whole = f"{title} {text.text}"
    in_topic, in_query, text_stems, held = (
        set(content_stems(one, text.language)) for one in (topic, query, text.text, whole)
    )
    answered = in_topic - in_query
    if not answered or not answered <= text_stems:
        if not states(text.text, topic if answered else query):
            return False
        named = " ".join(word for word in topic.split() if is_label(word))
        answered = set(content_stems(named, text.language))
    others = in_topic - answered
    return 2 * len(others & held) >= len(others)


def judge_coverage(
    results: Sequence[WorkerResult],
    aspects: Iterable[str],
    proposed: Sequence[Gap],
    previous: ResearchMemo | None,
    texts: Mapping[str, SourceText],
    meaning: Meaning,
    language: str,
) -> None:
    """Add to findings the topics that are covered according to a reader that judges findings.

    An aspect of the plan that no proposed gap names is covered by the nearest finding. A finding of a task for a
    gap covers the gap's topic, because the reader judged it to answer the task's question.
    """
    of_gap = _topics(previous.gaps if previous else (), *GapState)
    findings = [finding for result in results for finding in result.findings]
    for result in results:
        topic = of_gap.get(result.gap_id or "")
        for finding in result.findings:
            finding.topics += [topic] if topic and not _names(finding, topic) else []
    for aspect in aspects if findings else ():
        lacks = any(alike(aspect, topic, language) for topic in _topics(proposed, *GapState).values())
        if not lacks and not any(_names(finding, aspect) for finding in findings):
            scores = rank_texts(aspect, _texts(findings, texts), meaning)
            findings[max(range(len(scores)), key=scores.__getitem__)].topics.append(aspect)


def _topics(gaps: Iterable[Gap], *states: GapState) -> dict[str, str]:
    """Return the topics of the gaps in these states by id."""
    wanted = [gap for gap in gaps if gap.state in states and gap.missing_topic != DIVERSE_SOURCES]
    return {gap.id: gap.missing_topic for gap in wanted if gap.missing_topic}


def _texts(findings: Sequence[Finding], texts: Mapping[str, SourceText]) -> list[Text]:
    return [Text(finding.quote, texts[finding.source_key].language) for finding in findings]


def _names(finding: Finding, topic: str) -> bool:
    return folded_topic(topic) in map(folded_topic, finding.topics)
