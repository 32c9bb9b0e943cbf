from __future__ import annotations

from research.citations.quotes import CUT, DASH, plain_form


def test_what_type_setting_does_is_gone() -> None:
    found = plain_form("The ﬁrst\n“well-\nbeing” — ¿niños?")
    assert found.text == f"The first well{CUT}being{DASH}niños?"


def test_places_are_those_of_the_original() -> None:
    text = "¿Nin\u0303os (ﬁn?"
    found = plain_form(text)
    assert found.text == "Niños(fin?"
    assert [text[place] for place in found.at] == ["N", "i", "n", "o", "s", "(", "ﬁ", "ﬁ", "n", "?"]


def test_a_power_is_no_digit_of_its_number() -> None:
    assert plain_form("10²").text != plain_form("102").text
    assert plain_form("m²").text == plain_form("m2").text


def test_a_source_is_read_once() -> None:
    assert plain_form("A page of words.") is plain_form("A page of words.")
