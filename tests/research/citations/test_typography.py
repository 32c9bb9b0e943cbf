from __future__ import annotations

from research.citations.quotes import CUT, DASH, plain


def test_what_type_setting_does_is_gone() -> None:
    found = plain("The ﬁrst\n“well-\nbeing” — ¿niños?")
    assert found.text == f"The first well{CUT}being{DASH}niños?"


def test_places_are_those_of_the_original() -> None:
    text = "¿Nin\u0303os (ﬁn?"
    found = plain(text)
    assert found.text == "Niños(fin?"
    assert [text[place] for place in found.at] == ["N", "i", "n", "o", "s", "(", "ﬁ", "ﬁ", "n", "?"]


def test_a_power_is_no_digit_of_its_number() -> None:
    assert plain("10²").text != plain("102").text
    assert plain("m²").text == plain("m2").text


def test_a_source_is_read_once() -> None:
    assert plain("A page of words.") is plain("A page of words.")
