import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from tests.support.reading.documents import drawn, encoded, essay_page


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("pictured", [False, True])
def test_the_words_are_those_of_the_page(rotation: int, pictured: bool) -> None:
    def draw(page: pymupdf.Page) -> None:
        page.draw_rect((400, 600, 500, 700), fill=(0, 0, 0))
        essay_page(page)
        if pictured:
            page.insert_image((60, 600, 160, 700), stream=encoded(Image.effect_noise((90, 90), 90), "PNG"))
        page.set_rotation(rotation)

    data = drawn(draw)
    with pymupdf.open("pdf", data) as document:
        expected = [word[:5] for word in document[0].get_text("words")]
    with open_pdf(data) as file:
        parts = file.parts(1)
    assert [word for line in parts.lines for word in line.words] == expected
    assert (len(parts.paint.pictures), len(parts.paint.vectors) > 0, parts.paint.more) == (pictured, True, False)
