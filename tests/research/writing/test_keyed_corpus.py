from __future__ import annotations

import pytest

from lab.bench.research.keyed.corpus import Topic, topics
from lab.bench.research.keyed.domains import top_domain_share
from lab.bench.research.keyed.material import material_of
from lab.bench.research.keyed.untrue_model import FABRICATED, UNKNOWN, UntrueModel
from research.readers.model.reading import open_reader
from research.text.meaning import NoMeaning
from research.writing.report import write_report
from tests.support.research.readers import passages


@pytest.mark.parametrize("topic", topics(), ids=lambda topic: topic.name)
def test_reading_lists_by_words_alone_keep_to_the_question_and_to_many_places(topic: Topic) -> None:
    given = material_of(topic, NoMeaning())
    report = write_report(given, passages())
    answering = [claim for claim in report.claims if topic.answers(claim.quote)]
    assert len(answering) >= 0.5 * len(report.claims) > 0
    domains = [given.sources[reference.key].domain for reference in report.document.references]
    assert len(set(domains)) >= 3 and top_domain_share(domains) <= 0.5


def test_the_corpus_is_half_off_its_questions() -> None:
    for topic in topics():
        answering = [document for document in topic.documents if set(document.labels) != {"-"}]
        labels = [label for document in answering for label in document.labels]
        assert len(answering) == 12 and labels.count("-") * 2 == len(labels)


def test_nothing_that_a_model_invents_is_published() -> None:
    report = write_report(material_of(topics()[0]), open_reader(UntrueModel(), NoMeaning()))
    text = "".join(section.body for section in report.document.sections)
    assert "[@" in text and not report.document.extractive
    assert FABRICATED not in text and UNKNOWN not in text and "4711" not in text
    assert {claim.status for claim in report.claims} == {"verified", "misattributed", "fabricated"}


def test_the_same_material_gives_the_same_report() -> None:
    given = material_of(topics()[1], NoMeaning())
    assert write_report(given, passages()) == write_report(given, passages())
