"""The topics of a round: aspects of the plan and missing topics, and which findings cover them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from research.gaps.gap_closing import alike, folded_topic
from research.material import SourceText
from research.meaning import Meaning, NoMeaning, Text, covering, rank_texts
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.types import Gap, GapState, ResearchMemo
from research.memo.worker_result import Finding, WorkerResult
from research.readers.stated import is_label, states
from research.text import content_stems

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
    """Give the findings the topics that they cover, because they are near them or answer them."""
    told = _texts(findings, texts)
    near = covering(topics, told, meaning, query)
    titles = [texts[finding.source_key].reference.title for finding in findings]
    titled = [Text(f"{title} {one.text}", one.language) for title, one in zip(titles, told, strict=True)]
    scores = zip(rank_texts(query, told, meaning), rank_texts(query, titled, NoMeaning()), strict=True)
    related = [max(pair) > 0 for pair in scores]
    for at, finding in enumerate(findings):
        finding.topics = [
            topic
            for topic, places in zip(topics, near, strict=True)
            if at in places or (related[at] and answers(told[at], titles[at], topic, query))
        ]


def answers(text: Text, title: str, topic: str, query: str) -> bool:
    """Return whether a text on the subject of the request answers a topic, its source's title read with it.

    It has all words by which the topic goes beyond the request, such as "study" in "studies of school starts"; or
    it states what the topic asks for, as an amount of money for "costs". At least half of the topic's other words
    stand in it or in the title, so that the price of something else is none.
    """
    whole = f"{title} {text.text}"
    in_topic, in_query, said, held = (
        set(content_stems(one, text.language)) for one in (topic, query, text.text, whole)
    )
    answered = in_topic - in_query
    if not answered or not answered <= said:
        if not states(text.text, topic):
            return False
        named = " ".join(word for word in topic.split() if is_label(word))
        answered = set(content_stems(named, text.language))
    others = in_topic - answered
    return 2 * len(others & held) >= len(others)


def judge(
    results: Sequence[WorkerResult],
    aspects: Iterable[str],
    proposed: Sequence[Gap],
    previous: ResearchMemo | None,
    texts: Mapping[str, SourceText],
    meaning: Meaning,
    language: str,
) -> None:
    """Add to findings the topics that a reader which judges findings holds to be covered, too.

    An aspect of the plan that no proposed gap names is covered by the finding nearest to it. A finding of a task
    that was to close a gap covers the gap's topic, since it was judged to answer the task's question.
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
    told = [gap for gap in gaps if gap.state in states and gap.missing_topic != DIVERSE_SOURCES]
    return {gap.id: gap.missing_topic for gap in told if gap.missing_topic}


def _texts(findings: Sequence[Finding], texts: Mapping[str, SourceText]) -> list[Text]:
    return [Text(finding.quote, texts[finding.source_key].language) for finding in findings]


def _names(finding: Finding, topic: str) -> bool:
    return folded_topic(topic) in map(folded_topic, finding.topics)
