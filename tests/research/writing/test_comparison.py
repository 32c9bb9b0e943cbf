"""Which statements of different sources a reader is asked to compare."""

from __future__ import annotations

import pytest

from research.memo import Claim, Finding
from research.readers.protocol import Evidence
from research.writing.checking import Desk
from research.writing.evidence import compare_evidence
from tests.support.research.readers import asking
from tests.support.research.report_material import QUESTION, material

LED = "A walking bus leaves every morning with six volunteers in yellow vests."
SEEN = "Volunteers bake cakes in the mill each morning."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It costs just $19 to run a bus past shops and farms.", "With paint, cones and lamps a bus cost $47."),
        ("Of the leaders of buses 44% are retired people.", "Nine in ten leaders of a bus are mothers."),
        (
            "Lateness fell where a bus runs past shops and farms.",
            "With paint and lamps lateness rose for each bus.",
        ),
    ],
)
def test_what_may_contradict_each_other_is_compared_before_what_is_only_alike(one: str, other: str) -> None:
    texts = {f"s{n}": (f"s{n}.example", text) for n, text in enumerate((LED, one, SEEN, other))}
    given = material(texts, (QUESTION,))
    reader, model = asking(lambda purpose, user: None)
    desk = Desk(given, reader)
    evidence = [
        Evidence(key, Finding(key, text, 0, len(text)), "", "", "", None, "en", "report")
        for key, (_, text) in texts.items()
    ]
    compare_evidence(desk, evidence, evidence)
    [(_, request)] = model.asked
    first, *_ = request.split("</a1>")
    assert one in first and other in first


def test_a_claim_that_is_one_sentence_of_its_evidence_is_compared_with_others() -> None:
    claimed, against = "A bus past farms cost $47 a month.", "A bus past farms costs $19 a month."
    texts = {"s1": ("s1.example", f"{claimed} It ran past farms and shops."), "s2": ("s2.example", against)}
    texts["s3"] = ("s3.example", SEEN)
    given = material(texts, (QUESTION,), claims=[Claim(claimed, "", "medium", "", "s1.example")])
    evidence = [
        Evidence(key, Finding(key, text, 0, len(text)), "", "", "", None, "en", "report")
        for key, (_, text) in texts.items()
    ]
    reader, _ = asking(lambda purpose, user: {"pairs": [{"id": "a1", "how": "contradicts"}]})
    [verdict] = compare_evidence(Desk(given, reader), evidence[:1], evidence).verdicts
    assert verdict.own.evidence_id == "s1" and verdict.verification == "contradicted"
