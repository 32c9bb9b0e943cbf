from __future__ import annotations

from research.citations.folding import fold, folded_source


def test_what_type_setting_does_is_gone() -> None:
    assert fold("The ﬁrst\n“well-\nbeing” — ¿niños?").letters == "thefirstwellbeingniños?"


def test_places_are_those_of_the_original() -> None:
    text = "¿Nin\u0303os — ﬁn?"
    folded = fold(text)
    assert folded.letters == "niñosfin?"
    assert [text[place] for place in folded.at] == ["N", "i", "n", "o", "s", "ﬁ", "ﬁ", "n", "?"]
    assert text[folded.at[2] : folded.end_of(2)] == "n\u0303"


def test_a_power_is_no_digit_of_its_number() -> None:
    assert fold("10²").letters != fold("102").letters
    assert fold("m²").letters == fold("m2").letters


def test_a_source_is_folded_once() -> None:
    assert folded_source("A page of words.") is folded_source("A page of words.")
