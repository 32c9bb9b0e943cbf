from __future__ import annotations

import time
import unicodedata

import pytest

from research.citations.quotes import verify_quote

SOURCES = {
    "visits": (
        "The inter-\nvention reduced absences by 12.5 % in 2019. It did not improve scores. No effect was found "
        "for girls.\nFathers’ ﬁrst visits—in schools—were “well-\nbeing” days at −5 degrees; each cost $1,200 "
        "[12] per child. Is it effective? We don’t know. "
        + "Other matters follow here. " * 30
        + "Nobody asked them a-\ngain. Non-\nsmokers came at once."
    ),
    "lectura": unicodedata.normalize(
        "NFD",
        "¿Qué hacen los padres en la educación de sus niños? No hubo diferencias entre los grupos. "
        "El 12\u00a0% leyó «en casa» con sus hijos; los de\u00admás, no.",
    ),
}


@pytest.mark.parametrize(
    "quote",
    [
        "The intervention reduced absences by 12.5 % in 2019.",
        "the intervention reduced absences",
        "The inter-\nvention reduced absences",
        "Fathers' first visits - in schools - were 'well-being' days at -5 degrees",
        "[E]ach cost $1,200 per child",
        "each cost $1,200 [12] per child",
        "The intervention reduced absences … It did not improve scores.",
        "“Is it effective? We don't know.”",
        "The intervention reduced absences [sic] by 12.5%",
        "cost $1,200",
        "vention reduced absences by",
        "Other matters follow here. Nobody asked them a-",
    ],
)
def test_what_stands_in_the_source_is_verified(quote: str) -> None:
    assert verify_quote(quote, "visits", SOURCES).status == "verified"


@pytest.mark.parametrize(
    "quote",
    [
        "reduced absences by 12.6 % in 2019",
        "reduced absences by 125 % in 2019",
        "reduced absences by 12.5 % in 2018",
        "It did improve scores",
        "It did … improve scores",
        "Effect was found for girls",
        "were well-being days at 5 degrees",
        "5 degrees; each cost $1,200",
        "It is effective",
        "Is it effective. We don't know",
        "We dont know",
        "were wellbeing\u00a0days at -5 degrees, of course",
        "It did not improve scores. Fathers' first visits",
        "It did not improve scores … The intervention reduced absences",
        "Is it effective? … Nobody asked them again",
        "each cost $1,200 [13] per child",
        "La intervención redujo las ausencias",
        "absences by 12",
        "The inter",
        "smokers came at once",
        "",
        "…",
        "the",
        "ration",
    ],
)
def test_what_does_not_is_fabricated(quote: str) -> None:
    verdict = verify_quote(quote, "visits", SOURCES)
    assert (verdict.status, verdict.source_id, verdict.start) == ("fabricated", None, None)


@pytest.mark.parametrize(
    "quote",
    [
        "¿Qué hacen los padres en la educación de sus niños?",
        "El 12 % leyó “en casa”",
        "con sus hijos; los demás, no",
    ],
)
@pytest.mark.parametrize("claimed", ["visits", "unknown", None])
def test_a_quotation_of_another_source_is_named_so(quote: str, claimed: str | None) -> None:
    verdict = verify_quote(quote, claimed, SOURCES)
    assert (verdict.status, verdict.source_id) == ("misattributed", "lectura")


@pytest.mark.parametrize("quote", ["Hubo diferencias entre los grupos", "que hacen los padres", "El 12 % leyo"])
def test_spanish_fakes(quote: str) -> None:
    assert verify_quote(quote, "lectura", SOURCES).status == "fabricated"


def test_offsets_are_those_of_the_text_itself() -> None:
    verdict = verify_quote("“the intervention reduced absences by 12.5%”", "visits", SOURCES)
    assert SOURCES["visits"][verdict.start : verdict.end] == "The inter-\nvention reduced absences by 12.5 %"


def test_offsets_take_in_the_marks_that_the_quotation_has() -> None:
    verdict = verify_quote("¿Qué hacen los padres en la educación de sus niños?", "lectura", SOURCES)
    found = SOURCES["lectura"][verdict.start : verdict.end]
    assert unicodedata.normalize("NFC", found) == "¿Qué hacen los padres en la educación de sus niños?"


def test_of_several_other_sources_the_first_by_id() -> None:
    sources = {"c": "They came by bus.", "b": "They came by bus.", "a": "They walked."}
    assert verify_quote("They came by bus", "a", sources).source_id == "b"


def test_a_word_or_two_are_looked_for_in_their_own_source_only() -> None:
    assert verify_quote("cost $1,200", "lectura", SOURCES).status == "fabricated"
    assert verify_quote("Cost $1,200", "visits", SOURCES).status == "fabricated"


def test_the_whole_text_is_looked_through() -> None:
    text = "Nothing of note. " * 100_000 + "Twelve herons nested in the reeds."
    verdict = verify_quote("Twelve herons nested", "log", {"log": text})
    assert (verdict.status, verdict.end) == ("verified", 1_700_020)


NOTES = (
    "Omissions fell on every ward.11 Costs were modest³, as far as we know. They met until 1986.4 Then they left."
)


@pytest.mark.parametrize(
    "quote",
    [
        "Omissions fell on every ward. Costs were modest, as far",
        "Costs were modest³, as far",
        "until 1986. Then they",
    ],
)
def test_numbers_of_footnotes_may_be_left_out(quote: str) -> None:
    assert verify_quote(quote, "notes", {"notes": NOTES}).status == "verified"


def test_a_raised_number_behind_a_unit_is_no_footnote() -> None:
    assert verify_quote("It is 5 m wide", "wall", {"wall": "It is 5 m² wide"}).status == "fabricated"


OPENINGS = "They met. In rural areas clubs grew quickly. It might be argued that fees are too low."


@pytest.mark.parametrize("quote", ["Clubs grew quickly.", "Fees are too low.", "[F]ees are too low."])
def test_a_capital_does_not_hide_a_sentences_opening(quote: str) -> None:
    assert verify_quote(quote, "clubs", {"clubs": OPENINGS}).status == "fabricated"


@pytest.mark.parametrize("quote", ["clubs grew quickly", "[C]lubs grew quickly.", "In rural areas clubs grew"])
def test_what_owns_up_to_the_opening_is_true(quote: str) -> None:
    assert verify_quote(quote, "clubs", {"clubs": OPENINGS}).status == "verified"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("costs 12,500 pounds a year", "It costs 12 , 500 pounds a year."),
        ("level 1.5 pupils came", "In level 1 . 5 pupils came."),
        ("took 2:30 hours to walk", "It took 2 : 30 hours to walk."),
        ("fell in 35% of schools", "They fell in 3\u00b75% of schools."),
        ("5% of the schools", "They fell in 3\u00b75% of the schools."),
        ("some 1000 people came", "Some 1_000 people came."),
        ("some 105 people came", "Some 10*5 people came."),
    ],
)
def test_marks_between_numbers_are_kept(quote: str, text: str) -> None:
    assert verify_quote(quote, "a", {"a": text}).status == "fabricated"
    assert verify_quote(text, "a", {"a": text}).status == "verified"


def test_a_number_in_bold_is_one_number() -> None:
    assert verify_quote("in 2019 and 2020", "a", {"a": "Held in **2019** and 20\u200b20."}).status == "verified"


def test_an_omission_after_a_word_that_stands_everywhere() -> None:
    text = "the cat sat on it and so. " * 8000 + "filler word there. " * 60 + "zebra stripes walk fast."
    begun = time.process_time()
    assert verify_quote("the … zebra stripes walk fast", "a", {"a": text}).status == "fabricated"
    assert verify_quote("so … zebra stripes walk fast", "a", {"a": f"{text} So zebra"}).status == "fabricated"
    assert verify_quote("there … zebra stripes walk fast", "a", {"a": text}).status == "verified"
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("run", ["\u200b" * 40, "\u200b\u200c" * 40])
def test_runs_of_invisible_spaces(run: str) -> None:
    begun = time.process_time()
    assert (
        verify_quote(f"walk{run}fast to school", "a", {"a": f"They walk{run}fast to schools"}).status
        == "fabricated"
    )
    assert (
        verify_quote(f"walk{run}fast to school", "a", {"a": f"They walk{run}fast to school"}).status == "verified"
    )
    assert time.process_time() - begun < 1


CITING = "Fees fell in all schools [3]. Is it enough for them [4, 5]? Others came by bus [6]\nand stayed."


@pytest.mark.parametrize(
    "quote",
    [
        "Fees fell in all schools [3].",
        "Fees fell in all schools [3]",
        "Fees fell in all schools.",
        "“Is it enough for them [4, 5]?”",
        "Fees fell in all schools [3] … Others came by bus [6]",
    ],
)
def test_references_of_the_source_may_end_a_quotation(quote: str) -> None:
    assert verify_quote(quote, "a", {"a": CITING}).status == "verified"
    assert verify_quote(quote, "b", {"a": CITING, "b": "Others came."}).source_id == "a"


@pytest.mark.parametrize(
    "quote",
    [
        "Fees fell in all schools [4].",
        "Fees fell in all schools [3, 4].",
        "Is it enough for them [4, 5].",
        "Is it enough for them [3]?",
        "Others came by bus and stayed [6].",
    ],
)
def test_references_that_the_source_has_not_there_are_fabricated(quote: str) -> None:
    assert verify_quote(quote, "a", {"a": CITING}).status == "fabricated"


def test_a_reference_at_the_end_lies_within_the_span() -> None:
    verdict = verify_quote("fees fell in all schools [3].", "a", {"a": CITING})
    assert CITING[verdict.start : verdict.end] == "Fees fell in all schools [3]."
