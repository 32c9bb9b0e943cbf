"""What two readings mean together, and replies that cannot be true."""

from __future__ import annotations

import pytest

from pipeline.profiles import FieldKind
from pipeline.schema import Agreement, FieldReading, SecondReading, SubmissionRecord
from pipeline.second_reader.comparison import (
    LIKELY,
    agreement_of,
    is_agreed,
    is_beside_print,
    is_likely,
    without_impossible,
)
from pipeline.second_reader.question import Answers, Dropped

SCHOOLS = {"Harbor View Elementary School": ("Harbor View", "HVES")}


def kept(*, others: tuple[str, ...] = (), first: dict[str, str] | None = None, **said: str) -> Answers:
    values = {"student_name": "Ana Ruiz", "father_figure_name": "Luis Ruiz", "school_name": "Lake Shore School"}
    values = values if first is None else first
    readings = {name: FieldReading(value=value) for name, value in values.items()}
    record = SubmissionRecord(submission_id="1", readings=readings, **values)
    return without_impossible(Answers(values=said), record, SCHOOLS, others)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"student_name": "Lake Shore School"}, Dropped.SCHOOL_AS_NAME),
        ({"student_name": "Harbor View"}, Dropped.SCHOOL_AS_NAME),
        ({"student_name": "Luis Ruiz"}, Dropped.SWAPPED),
        ({"school_name": "Ana Ruiz"}, Dropped.SWAPPED),
        ({"student_name": "Eva Sol", "father_figure_name": "Eva Sol"}, Dropped.TWICE),
        ({"student_name": "Eva Sol", "school_name": "EVA SOL"}, Dropped.TWICE),
    ],
)
def test_a_value_of_another_field_is_dropped(said: dict[str, str], why: Dropped) -> None:
    found = kept(**said)
    assert why in found.dropped.values()
    assert not set(found.values) & set(found.dropped)


def test_the_child_of_another_entry_of_the_file_is_dropped() -> None:
    found = kept(student_name="Eva Sol", others=("EVA SOL", "Bo Li"))
    assert found.dropped == {"student_name": Dropped.OTHER_ENTRY} and not found.values


def test_what_the_first_reader_read_too_is_never_impossible() -> None:
    found = kept(student_name="ANA RUIZ", father_figure_name="Luis Ruiz", others=("Ana Ruiz",))
    assert not found.dropped and len(found.values) == 2


@pytest.mark.parametrize(
    ("name", "first", "second", "agreement"),
    [
        ("student_name", "José Núñez", "JOSE NUNEZ", Agreement.AGREE),
        ("student_name", "Mary-Ann O’Brien", "Mary Ann OBrien", Agreement.AGREE),
        ("student_name", "Ana Ruiz", "Ana Ruis", Agreement.DIFFER),
        ("student_name", "Hope Kea ting", "Hope Keating", Agreement.DIFFER),
        ("school_name", "GALLERYSTREET ARTS SCHOOL", "Gallery Street Arts School", Agreement.DIFFER),
        ("school_name", "St. Ann's", "ST ANNS", Agreement.AGREE),
        ("school_name", "Harbor View Elementary School", "Harbor View", Agreement.AGREE),
        ("school_name", "Harbor View", "Lake View", Agreement.DIFFER),
        ("phone", "(402) 555-0143", "+1 402 555 0143", Agreement.AGREE),
        ("email", "Ana@example.org", "ana@example.org", Agreement.AGREE),
        ("email", "ana.ruiz@example.org", "anaruiz@example.org", Agreement.DIFFER),
        ("grade", "4", None, Agreement.ONLY_FIRST),
        ("grade", None, "4", Agreement.ONLY_SECOND),
        ("grade", None, None, Agreement.NEITHER),
    ],
)
def test_two_readings_agree_but_for_what_records_fold(
    name: str, first: str | None, second: str | None, agreement: Agreement
) -> None:
    assert agreement_of(name, first, second, SCHOOLS) is agreement


def test_a_point_within_a_number_counts() -> None:
    for kind in (FieldKind.NUMBER, FieldKind.TEXT):
        assert is_agreed(kind, "15", "15", {}) and not is_agreed(kind, "1.5", "15", {})


def test_a_spelling_is_likely_from_a_bound_on() -> None:
    likely = [
        is_likely(SecondReading(agreement=Agreement.DIFFER, likelihood=one))
        for one in (0.0, LIKELY, LIKELY - 0.01, None)
    ]
    assert likely == [True, True, False, False]


def test_what_a_model_writes_can_be_stored() -> None:
    assert SecondReading(value="Ana\x00 Ruiz\ud800", agreement=Agreement.DIFFER).value == "Ana Ruiz"


@pytest.mark.parametrize(
    ("first", "found"),
    [
        ("Juniper School Sobre", True),
        ("Escribiendo Sobre JUNIPER SCHOOL", True),
        ("Juniper School", False),
        ("Juniper School Annex", False),
        ("Juniper", False),
    ],
)
def test_print_beside_a_value_is_none_of_it(first: str, found: bool) -> None:
    assert is_beside_print("Juniper School", first, {"sobre", "escribiendo"}) is found
