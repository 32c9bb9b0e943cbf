from __future__ import annotations

import pytest

from research.citations.claims import citation_numbers
from research.document import Reference, ReportDocument, Section
from tests.support.research.markers import marker_problems


def document(*bodies: str, keys: tuple[str, ...] = ("ortiz2019", "lee2021")) -> ReportDocument:
    return ReportDocument(
        title="Visits",
        sections=tuple(Section(key=str(n), heading="Visits", body=body) for n, body in enumerate(bodies)),
        references=tuple(Reference(key=key, title=key) for key in keys),
    )


def test_numbers_follow_the_first_markers() -> None:
    report = document("Yes [@lee2021#c9] [@unknown].", "No [@ortiz2019]. Again [@lee2021].")
    assert citation_numbers(report) == {"lee2021": 1, "ortiz2019": 2}


def test_no_problem() -> None:
    report = document("Yes [@ortiz2019#c1]. See [the page](https://example.org) and \\[3\\].", "No [@lee2021].")
    assert marker_problems(report) == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("Yes [@ortiz2019] [@gil2020].", "The marker [@gil2020] names no reference of the list."),
        ("Yes [@ortiz2019].", "The reference lee2021 is listed but never cited."),
        ("Yes [@Ortiz2019].", "“[@Ortiz2019]” is no marker that can be resolved."),
        ("Yes [@ortiz2019, @lee2021].", "“[@ortiz2019, @lee2021]” is no marker that can be resolved."),
        ("Yes [@ortiz2019", "“[@ortiz2019” is no marker that can be resolved."),
        ("Yes [12].", "“[12]” is no marker that can be resolved."),
        ("Yes [^1].", "“[^1]” is no marker that can be resolved."),
    ],
)
def test_problems_are_named(body: str, problem: str) -> None:
    assert problem in marker_problems(document(body))


def test_a_key_that_is_listed_twice() -> None:
    report = document("Yes [@ortiz2019].", keys=("ortiz2019", "ortiz2019"))
    assert marker_problems(report) == ["The reference ortiz2019 is listed more than once."]
