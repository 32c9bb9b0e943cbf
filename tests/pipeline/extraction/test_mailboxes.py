"""Addresses that spell a name of their entry by other letters."""

from __future__ import annotations

import pytest

from pipeline.extract_ifi import without_misread_mailbox
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading


def email(address: str, source: Source = Source.OCR, confidence: float = 0.79, score: float = 0.9) -> str | None:
    def name(value: str) -> FieldReading:
        return FieldReading(value=value, confidence=0.79, source=Source.OCR, signals={"score": 0.97})

    fields = {
        "student_name": name("Henry Nakamura"),
        "father_figure_name": name("Joel Nakamura"),
        "email": FieldReading(
            value=address, confidence=confidence, source=source, method="zone", signals={"score": score}
        ),
    }
    return without_misread_mailbox(fields)["email"].value


@pytest.mark.parametrize("address", ["wakalmuraj@example.org", "j.nakamora7@example.org", "nakanura@example.org"])
def test_a_name_by_other_letters_was_misread(address: str) -> None:
    assert email(address) is None


@pytest.mark.parametrize(
    "address", ["nakamuraj@example.org", "soccer.dad77@example.org", "j@example.org", "joel@example.org"]
)
def test_a_name_or_none_at_all_stands(address: str) -> None:
    assert email(address) == address


def test_what_was_typed_or_read_twice_stands() -> None:
    assert email("nakanura@example.org", Source.TEXT_LAYER, 1.0)
    assert email("nakanura@example.org", Source.OCR, 0.97)


def test_a_name_that_was_read_with_no_more_confidence_may_be_the_misspelt_one() -> None:
    assert email("nakanura@example.org", score=0.97) == "nakanura@example.org"


def test_the_place_stays() -> None:
    read = FieldReading(value="nakanura@example.org", confidence=0.7, source=Source.OCR, method="zone, lines")
    names = FieldReading(value="Joel Nakamura", confidence=1.0, source=Source.TEXT_LAYER)
    left = without_misread_mailbox({"father_figure_name": names, "email": read})["email"]
    assert (left.evidence, left.method, left.confidence) == (read.evidence, "zone, lines: a name misspelt", 0.0)
