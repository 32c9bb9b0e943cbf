"""Which statements of different sources a reader is asked to compare."""

from __future__ import annotations

import pytest

from research.memo.worker_result import Finding
from research.readers.protocol import Asked, Evidence
from research.report_type import ReportType
from research.writing.comparison import compare
from research.writing.desk import Desk, Sources
from tests.support.research.readers import asking
from tests.support.research.report_material import QUESTION, material

LED = "A walking bus leaves every morning with six volunteers in yellow vests."
SEEN = "Volunteers bake cakes in the mill each morning."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It costs just $19 to run a bus for a month.", "All counted, a bus cost the council $47."),
        ("Of the leaders of buses 44% are retired people.", "Nine in ten leaders of a bus are mothers."),
        ("Lateness fell where a bus runs.", "In winter lateness rose at schools with a bus."),
    ],
)
def test_what_may_contradict_each_other_is_compared_before_what_is_only_alike(one: str, other: str) -> None:
    texts = {f"s{n}": (f"s{n}.example", text) for n, text in enumerate((LED, one, SEEN, other))}
    given = material(texts, (QUESTION,))
    reader, model = asking(lambda purpose, user: None)
    desk = Desk(given, Asked(QUESTION, ReportType.NARRATIVE, "en", 2026), reader, Sources(given.sources))
    evidence = [
        Evidence(key, Finding(key, text, 0, len(text)), "", "", "", None, "en", "report")
        for key, (_, text) in texts.items()
    ]
    compare(desk, evidence, evidence)
    [(_, request)] = model.asked
    first, *_ = request.split("</a1>")
    assert one in first and other in first
