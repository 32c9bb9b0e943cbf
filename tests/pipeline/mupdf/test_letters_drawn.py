import pytest

from core.confined.mupdf import pymupdf
from pipeline.mupdf.assembly import typeset, words_lost
from pipeline.mupdf.file import open_pdf
from pipeline.pages.text_layer import read_text_layer

NAMES = {
    "Arabic": "سارة الحسن",
    "Arabic ligatures": "الاسم علاء",
    "Arabic with vowels": "مُحَمَّد",
    "Persian": "فریبا گلپایگانی",
    "Urdu": "اُسامہ ٹوانہ",
    "Kurdish": "ڕۆژان",
    "Hebrew": "דוד לוי",
    "Hebrew with points": "שָׁלוֹם",
    "Syriac": "ܡܪܝܡ",
    "Thai": "สมชาย ใจดี",
    "Georgian": "ლევან",
    "Cyrillic": "Дмитрий Иванов",
    "Vietnamese": "Nguyễn Thị Ánh",
    "Chinese": "王小明",
}


def words_of(html: str) -> list[str]:
    with open_pdf(typeset([html], {}, 3)) as file:
        return [word.text for word in read_text_layer(file.parts(1)).words]


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_letters_that_are_joined_are_read_as_they_were_typed(name: str) -> None:
    assert sorted(words_of(f"<p>Name: {name}</p>")) == sorted(["Name:", *name.split()])
    assert words_lost(typeset([f"<p>{name}</p>"], {}, 3), f"<p>{name}</p>") == 0


def test_each_page_says_its_letters() -> None:
    pdf = typeset([f"<p>{NAMES['Arabic']}</p>", f"<p>{NAMES['Urdu']}</p>"], {}, 3)
    with pymupdf.open("pdf", pdf) as document:
        assert [page.get_text().split() for page in document] == [NAMES["Arabic"].split(), NAMES["Urdu"].split()]


def test_words_whose_letters_change_places_are_counted() -> None:
    html = "<p>Name: अमित शर्मा</p>"
    assert words_lost(typeset([html], {}, 3), html) == 2


def test_a_text_without_joined_letters_is_not_looked_through() -> None:
    assert words_lost(b"no PDF", "<p>José Núñez</p>") == 0
