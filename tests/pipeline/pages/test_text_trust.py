from dataclasses import replace

import pytest

from pipeline.pages.text_trust import TextEvidence, distrust, garbled
from tests.support.reading.documents import ESSAY

WORDS = (ESSAY + " " + ESSAY).split()
TYPED = TextEvidence(
    WORDS,
    ["Serif"] * len(WORDS),
    0,
    ink=0.08,
    ink_of_words=0.075,
    ink_unread=0.001,
    ink_of_pictures=0.0,
    pictures=0.0,
)
GARBLED = ["".join(chr(ord(c) - 29) for c in word) for word in WORDS]
FEW = WORDS[:12]
NOTHING = TextEvidence([], [], 0, ink=0.0, ink_of_words=0.0, ink_unread=0.0, ink_of_pictures=0.0, pictures=0.0)


def few(words: list[str] = FEW, **measured: float) -> TextEvidence:
    return replace(TYPED, words=words, fonts=["Serif"] * len(words), **measured)


@pytest.mark.parametrize(
    ("page", "verdict"),
    [
        (TYPED, None),
        (replace(TYPED, pictures=0.9), None),
        (replace(TYPED, pictures=0.9, hidden_letters=400), None),
        (replace(TYPED, pictures=0.9, ink_of_pictures=0.02), None),
        (replace(TYPED, pictures=0.9, ink_of_pictures=0.06), "picture"),
        (replace(TYPED, pictures=0.4, ink_of_pictures=0.06), None),
        (replace(TYPED, ink_unread=0.03), None),
        (replace(TYPED, ink_unread=0.2), "outlines"),
        (replace(TYPED, words=GARBLED), "garbled"),
        (few(), None),
        (few(ink_of_words=0.01, ink_unread=0.06), "stray_letters"),
        (few(ink_of_words=0.01, ink_unread=0.003), None),
        (few(["e", "t", "a", "o", "n"], ink_of_words=0.001, ink_unread=0.07), "stray_letters"),
        (few(pictures=0.95), "picture"),
        (few(pictures=0.3), "picture"),
        (few(pictures=0.05), None),
        (few(pictures=0.95, hidden_letters=900), "hidden_layer"),
        (NOTHING, None),
        (replace(NOTHING, ink=0.0003), None),
        (replace(NOTHING, ink=0.05, pictures=1.0), "no_text"),
        (replace(NOTHING, ink=0.05, ink_unread=0.05), "outlines"),
        (replace(NOTHING, ink=0.05, pictures=1.0, hidden_letters=700), "hidden_layer"),
        (replace(NOTHING, hidden_letters=700), "hidden_layer"),
    ],
)
def test_the_verdict_on_a_page(page: TextEvidence, verdict: str | None) -> None:
    assert distrust(page) == verdict


def test_one_garbled_font_among_others_is_found() -> None:
    labels = GARBLED[:30]
    assert garbled(WORDS + labels, ["Typed"] * len(WORDS) + ["Printed"] * 30)


def test_bullets_and_signs_are_no_garbling() -> None:
    signs = ["\uf0b7", "\uf0b7", "➤"]
    assert not garbled(WORDS + signs, ["Typed"] * len(WORDS) + ["Symbols"] * 3)


def test_a_picture_is_a_page_that_pictures_cover_mostly() -> None:
    assert not TYPED.is_picture
    assert replace(TYPED, pictures=0.7).is_picture
