"""State the limits of a report: what could not be found, read or verified."""

from __future__ import annotations

from collections.abc import Sequence

from research.material import ReportMaterial
from research.memo import GapState
from research.memo.gap_messages import DIVERSE_SOURCES
from research.writing.wording import WORDING


def limits_of(material: ReportMaterial, own: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the writer's `own` limits, open topics, failed tasks and problems of the rounds, without repeats."""
    words = WORDING[material.config.language]
    found = [*own, *_open_topics(material)]
    failed = sum(result.status == "failed" for result in material.results)
    if failed:
        found.append(words.tasks_failed.format(all=len(material.results), failed=failed))
    return tuple(dict.fromkeys([*found, *material.troubles]))


def _open_topics(material: ReportMaterial) -> list[str]:
    words = WORDING[material.config.language]
    topics = [gap.missing_topic for gap in material.memo.gaps if gap.state is not GapState.CLOSED]
    return [
        words.few_domains.format(wanted=material.config.min_total_domains)
        if topic == DIVERSE_SOURCES
        else words.topic_open.format(topic=topic)
        for topic in topics
        if topic
    ]
