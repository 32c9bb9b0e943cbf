"""The reports and libraries that the supervision is measured with: complete, or without one concept alone."""

from __future__ import annotations

import pytest

from research.supervision.analysis.concepts import stems_by_sentence, stems_of
from research.supervision.outline import plain_of
from scripts.bench.supervision.library import text_of
from scripts.bench.supervision.reports import report
from scripts.bench.supervision.topics import Topic, topics
from tests.support.research.markers import marker_problems

TOPICS = topics()
each = pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)


def named(text: str, topic: Topic) -> int:
    wanted = stems_of(topic.gap, topic.language)
    return sum(wanted <= sentence for sentence in stems_by_sentence(text, topic.language))


def test_thirty_of_many_fields_a_third_spanish_and_a_third_held_out() -> None:
    assert (len(TOPICS), sum(topic.held_out for topic in TOPICS)) == (30, 10)
    assert sum(topic.language == "es" for topic in TOPICS) == 10
    assert len({topic.field for topic in TOPICS}) >= 10
    assert {topic.field for topic in TOPICS if topic.held_out}.isdisjoint(
        {topic.field for topic in TOPICS if not topic.held_out}
    )


@each
def test_the_concept_alone_is_gone_from_the_report(topic: Topic) -> None:
    complete, planted = report(topic, complete=True), report(topic, complete=False)
    assert named(plain_of(complete), topic) > 0 == named(plain_of(planted), topic)
    assert marker_problems(complete) == [] == marker_problems(planted)
    bodies = [section for section in planted.sections if section.body]
    assert len(bodies) >= 4 and len(planted.references) >= 6


@each
def test_the_library_holds_it(topic: Topic) -> None:
    texts = [text_of(topic, source) for source in topic.sources]
    assert 8 <= len(texts) <= 14
    assert sum(named(text, topic) > 0 for text in texts) >= 3
