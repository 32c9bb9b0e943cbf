import pymupdf
import pytest

from pipeline.mupdf.display_list import DisplayList
from tests.support.reading.documents import drawn, essay_page


@pytest.mark.parametrize("rotation", [0, 90])
def test_a_display_list_gives_the_words_of_its_page(rotation: int) -> None:
    with pymupdf.open("pdf", drawn(essay_page)) as document:
        page = document[0]
        page.set_rotation(rotation)
        found = DisplayList(page).textpage(pymupdf.TEXTFLAGS_WORDS).extractWORDS()
        assert found == page.get_text("words")
