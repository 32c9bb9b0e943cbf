"""An essay's first sentence is of the essay, also where it is as short as a title."""

import pytest

from pipeline.extraction.labelling.header import read_labelled
from pipeline.extraction.page_reading import read_page, written_lines
from pipeline.extraction.tokens import token_text
from tests.support.reading.paper import page

HEAD = ["Name: Bryce Kemp", "School: Duckling Primary School", "Grade: 2"]
REST = ["just for me. He cuts my sandwich in four triangles. He can whistle like a bird.", "He claps at my show."]


def _used(*lines: str) -> str:
    texts = [(72, 80 + 16 * n, line, 11) for n, line in enumerate([*HEAD, *lines, *REST])]
    return token_text(read_labelled(written_lines(read_page(page(1, texts)))).used)


@pytest.mark.parametrize(
    "first", ["Do you know my stepfather?", "Do you know my daddy?", "Do you know my bonus dad?"]
)
def test_a_short_first_sentence_is_no_title(first: str) -> None:
    used = _used(f"{first} He is super tough. His beard is scratchy. He made a box")
    assert "Bryce Kemp" in used and "know" not in used
