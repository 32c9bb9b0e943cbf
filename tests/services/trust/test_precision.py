from __future__ import annotations

import pytest

from services.trust.audit_sample import Stratum
from services.trust.precision import SettledField, fields_judged, precisions, submissions_judged


def audit(number: int, probability: float = 0.5, **findings: str) -> list[SettledField]:
    return [
        SettledField(number, 0.95, probability, name, name != "phone", 0.9, finding)
        for name, finding in findings.items()
    ]


FOUND = [
    *audit(1, student_name="same", grade="machine", phone="auditor"),
    *audit(2, 0.1, student_name="auditor", grade="unclear"),
    *audit(3, student_name="same", grade="unclear"),
    *audit(4, student_name="same", grade="same"),
]


PASSED = {Stratum("", "", "", 0): 400}


def test_an_entry_is_right_where_every_required_field_is() -> None:
    assert [(one.right, one.weight) for one in submissions_judged(FOUND)] == [(True, 2), (False, 10), (True, 2)]


def test_what_cannot_be_told_counts_neither_way() -> None:
    grades = [one for one in FOUND if one.name == "grade"]
    assert [one.right for one in fields_judged(grades)] == [True, True]


def test_by_field_and_in_all() -> None:
    found = {one.name: one for one in precisions(FOUND, PASSED)}
    assert list(found) == [None, "student_name", "grade", "phone"]
    assert found[None].share.value == pytest.approx(4 / 14)
    assert found["student_name"].share.value == pytest.approx(6 / 16)
    assert found["phone"].share.value == 0
    assert all(one.wanting > 0 for one in found.values())


def test_without_audits() -> None:
    [whole] = precisions([], {})
    assert whole.share.value is None and whole.wanting > 100 and whole.population == 0
