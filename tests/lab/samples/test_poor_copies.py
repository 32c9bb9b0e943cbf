"""Poor copies: pictures of header pages, damaged by their seed."""

from __future__ import annotations

import pytest

from core.confined.mupdf import pymupdf
from lab.samples.part import PARTS, Part
from lab.samples.sets.poor_copies import draw_poor_copies

pytestmark = pytest.mark.usefixtures("sample_fonts")


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_a_poor_copy_is_a_picture_of_one_page(part: Part) -> None:
    drawn = draw_poor_copies(part, 5, 3)
    assert len({sample.kind for _, sample in drawn}) == 3
    for _, sample in drawn:
        (truth,) = sample.truths
        with pymupdf.open("pdf", sample.data) as document:
            assert document.page_count == truth.page_end == 1
            assert not document[0].get_text("words") and document[0].get_images()
        assert truth.damage and not truth.typed
        assert all(page == 1 for page, _ in truth.boxes.values())


def test_the_seed_decides_everything() -> None:
    first, again, other = (draw_poor_copies(PARTS["development"], seed, 1)[0][1].data for seed in (5, 5, 6))
    assert first == again != other


def test_the_parts_show_other_damage() -> None:
    drawn = {name: draw_poor_copies(part, 9, 5) for name, part in PARTS.items()}
    seen = {name: {kind for _, sample in drawn[name] for kind in sample.truths[0].damage} for name in drawn}
    assert "fax" not in seen["development"]
    assert "soft" not in seen["held_out"]
