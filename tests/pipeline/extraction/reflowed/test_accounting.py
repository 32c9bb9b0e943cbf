"""No word of a re-flowed header is lost or used twice, whatever its columns, widths and separators."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from lab.samples.forms.wrapped import draw_pages
from lab.samples.part import DEVELOPMENT
from pipeline.extraction.page_reading import PageReading, read_page
from pipeline.extraction.reflowed_values import read_reflowed
from pipeline.extraction.tokens import Token
from pipeline.extraction.values.text import squeezed
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import PageContent, Source
from pipeline.pages.text_layer import read_text_layer
from tests.support.long import examples
from tests.support.parts import need

STEP = examples(40, 100)


def read(seed: int) -> PageReading:
    doc, _ = draw_pages(Random(f"accounting:{seed}"), DEVELOPMENT, count=(10, 10))
    with open_pdf(doc.tobytes()) as file:
        layer = read_text_layer(file.parts(1))
    return read_page(PageContent(1, 612.0, 792.0, layer.words, source=Source.TEXT_LAYER))


def letters(tokens: list[Token]) -> Counter[str]:
    return Counter("".join(squeezed(token.text) for token in tokens))


def assert_accounted(reading: PageReading) -> None:
    assert reading.bottom is not None
    found = read_reflowed(reading)
    parts = (found.used, found.explained, found.unexplained)
    counted = Counter(id(token) for tokens in parts for token in tokens)
    assert set(counted.values()) <= {1}
    header = [n for n, line in enumerate(reading.lines) if line.tokens[0].box.cy < reading.bottom]
    written = [run for (n, _), run in zip(reading.written_at, reading.written, strict=True) if n in header]
    assert counted.keys() == {id(token) for run in written for token in run}
    cells = [reading.lines[n] for n in header]
    printed = Counter(c for cell in cells for c, taken in zip(cell.text, cell.taken, strict=True) if taken)
    whole = letters([token for cell in cells for token in cell.tokens])
    assert printed + letters([token for run in written for token in run]) == whole


@pytest.mark.parametrize("first", range(0, examples(40, 2000), STEP))
@pytest.mark.long
def test_every_word_is_accounted_for_once(first: int) -> None:
    need("fonts")
    for seed in range(first, first + STEP):
        assert_accounted(read(seed))


@pytest.mark.parametrize("seed", [222, 1559, 1587])
def test_a_header_is_found_though_most_of_its_printed_text_is_gone_or_glued_to_values(seed: int) -> None:
    need("fonts")
    assert_accounted(read(seed))
