"""How probably a recognised value is right, beside whether it may pass."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.extraction.readings import RECOGNISED_ALONE
from pipeline.looks.line_look import VOTES
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validation import certainty
from pipeline.validation.certainty import SIGNALS, estimated, field_is_weak, with_probabilities
from pipeline.validation.policy import Policy


def alone(value: str, score: float = 0.97) -> FieldReading:
    """A recognised value as most are: held just below what may pass."""
    return FieldReading(
        value=value, confidence=RECOGNISED_ALONE, source=Source.OCR, method="zone", signals={"score": score}
    )


def look(value: str) -> FieldReading:
    return FieldReading(value=value, confidence=0.7, source=Source.OCR, method="zone")


def votes(**shares: float) -> list[FieldReading]:
    return [
        look(value).model_copy(update={"method": VOTES, "signals": {"share": share}})
        for value, share in shares.items()
    ]


def probability(reading: FieldReading, looks: Sequence[FieldReading] = (), name: str = "student_name") -> float:
    found = estimated(name, reading, looks).probability
    assert found is not None
    return found


def test_what_looks_agree_on_is_surer_than_what_they_differ_on() -> None:
    agreed = probability(alone("Marisol Vega"), [look("Marisol Vega"), look("MARISOL VEGA")])
    differing = probability(alone("Marisol Vega"), [look("Marisel Vega"), look("Mariso Vege")])
    assert agreed > probability(alone("Marisol Vega"), [look("Marisol Vega"), look("Mariso Vega")]) > differing


def test_the_votes_of_the_line_count() -> None:
    for_it, against = votes(Marisol=0.9), votes(Marisol=0.1, Marisal=0.8)
    assert probability(alone("Marisol"), for_it) > probability(alone("Marisol"), against)


def test_a_score_that_is_held_down_still_tells_values_apart() -> None:
    assert probability(alone("5", 0.99), name="grade") > probability(alone("5", 0.8), name="grade")


def test_a_strange_word_makes_a_name_less_sure() -> None:
    assert probability(alone("Marisol Quintana")) > probability(alone("Marisol Qvmtxna"))


@pytest.mark.parametrize("source", [Source.TEXT_LAYER, Source.ACROFORM, Source.PERSON, Source.MODEL])
def test_only_what_was_recognised_is_estimated(source: Source) -> None:
    reading = alone("Marisol Vega").model_copy(update={"source": source})
    assert estimated("student_name", reading).probability is None


def test_an_estimate_changes_nothing_that_decides() -> None:
    record = SubmissionRecord(
        submission_id="s1", student_name="Marisol Vega", readings={"student_name": alone("Marisol Vega")}
    )
    looks = [look("Marisol Vega")] * 3
    sure = with_probabilities(record, {"student_name": looks}).readings["student_name"]
    assert (sure.value, sure.confidence) == ("Marisol Vega", RECOGNISED_ALONE)
    assert sure.probability is not None and sure.probability > 0.8 and field_is_weak(sure, Policy())


def test_fields_without_looks_keep_their_estimate() -> None:
    first = with_probabilities(SubmissionRecord(submission_id="s1", grade="5", readings={"grade": alone("5")}))
    again = with_probabilities(first, {"student_name": [look("Marisol Vega")]})
    assert again.readings == first.readings


def test_every_signal_has_a_weight_on_its_own_side() -> None:
    fitted = json.loads(Path(certainty.__file__).with_suffix(".json").read_text())["weights"]
    assert set(fitted) == {"intercept", *SIGNALS}
    against = {"disputed", "unaccounted"}
    assert all(fitted[name] <= 0 for name in against)
    assert all(fitted[name] >= 0 for name in set(SIGNALS) - against - {"length"})
