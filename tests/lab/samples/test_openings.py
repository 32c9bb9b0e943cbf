"""The openings by people who had not seen the reader: what they give is on the pages that are drawn of them."""

from __future__ import annotations

from itertools import islice

import pytest

from core.confined.mupdf import pymupdf
from lab.samples.part import PARTS, Part
from lab.samples.sets.openings import SETS, draw_openings, openings
from tests.support.long import examples

pytestmark = pytest.mark.usefixtures("sample_fonts")
PARTWISE = pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)


@pytest.mark.long
@PARTWISE
@pytest.mark.parametrize("of", SETS)
def test_names_and_schools_are_on_the_pages(part: Part, of: str) -> None:
    for name, sample in islice(draw_openings(part, 2027, of), examples(8, 200)):
        with pymupdf.open("pdf", sample.data) as document:
            text = " ".join(" ".join(page.get_text() for page in document).split())
        (truth,) = sample.truths
        for field in ("student_name", "school_name"):
            assert " ".join((truth.values[field] or "").split()) in text, (name, field)


def test_the_parts_have_no_opening_in_common() -> None:
    first, second = ({tuple(one["lines"]) for of in SETS for one in openings(name, of)} for name in PARTS)
    assert first and second and not first & second
