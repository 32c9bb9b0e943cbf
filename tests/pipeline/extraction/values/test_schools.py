import pytest

from pipeline.extraction.values.names import (
    has_school_word,
    match_school,
    misspelled_school,
    school_certainty,
    without_room,
)

KNOWN = {"Juniper Hill Elementary School": ["Juniper Hill"], "Harbor Academy": [], "North Harbor Academy": []}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Juniper School101", "Juniper School"),
        ("Juniper Hill Rm 214", "Juniper Hill"),
        ("Juniper Hill, Room 12B", "Juniper Hill"),
        ("Port Linden HS117", "Port Linden HS"),
        ("Public School 12", "Public School 12"),
        ("MS118", "MS118"),
    ],
)
def test_rooms_are_taken_off(text: str, name: str) -> None:
    assert without_room(text)[0] == name


def test_a_school_with_a_room_glued_on_is_not_sure() -> None:
    assert school_certainty("Juniper School101") < 0.8 < school_certainty("Juniper School")


@pytest.mark.parametrize("text", ["School", "Escuela", "12", "a@example.org"])
def test_what_cannot_be_a_school(text: str) -> None:
    assert school_certainty(text) == 0


def test_the_spanish_verb_is_no_elementary_school() -> None:
    assert has_school_word("Juniper Hill ES")
    assert not has_school_word("Mi papá es mi héroe")


@pytest.mark.parametrize("text", ["Juniper Hill Elem.", "Escuela Benito Juárez", "Harbor Academy"])
def test_words_that_name_a_school(text: str) -> None:
    assert has_school_word(text)


def test_a_misread_school_is_matched() -> None:
    hit = match_school("Junipcr Hill Elem School", KNOWN)
    assert hit is not None
    assert hit[0] == "Juniper Hill Elementary School"


def test_two_levels_are_two_schools() -> None:
    assert match_school("Juniper Hill Middle School", KNOWN) is None


@pytest.mark.parametrize("text", ["Oakdale", "Elementary School"])
def test_an_unknown_school_is_not_matched(text: str) -> None:
    assert match_school(text, KNOWN) is None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Juniper Hil Elementry School", "Juniper Hill Elementary School"),
        ("Juniepr Hill Elem Rm 12", "Juniper Hill Elementary School"),
        ("Juniper Hill Midle School", "Juniper Hill Middle School"),
        ("Escuela Benito Juares", "Escuela Benito Juárez"),
        ("Appel Elementary", "Apple Elementary School"),
        ("Maple Elementary School", None),
        ("West High School", None),
        ("Juniper Hll High School", None),
        ("PS 119", None),
        ("Junipr Hill", None),
        ("Juniper", None),
        ("", None),
    ],
)
def test_a_misspelling_means_one_school(text: str, meant: str | None) -> None:
    known = dict.fromkeys(
        ("Juniper Hill Middle School", "East High School", "Escuela Benito Juárez", "PS 118"), ()
    )
    known |= dict.fromkeys(("Juniper Hill Elementary School", "Apple Elementary School", "Hill School"), ())
    assert misspelled_school(text, known) == meant
