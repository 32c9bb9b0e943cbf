"""What quotations prove of a sentence, and what kind of proof their sources are."""

from __future__ import annotations

import pytest

from research.readers.support import faults_of
from research.writing.checking import QuotedPlace, _completed
from research.writing.evidence import strength_of
from tests.support.research.report_material import source

FELL = "Late marks fell in the schools that had a walking bus."
NEXT = "The fall was 38%, by Ann Duffy's count."


def place(start: int, quote: str) -> QuotedPlace:
    return QuotedPlace("one", "one", start, start + len(quote), quote, None)


def proven(sentence: str, *pieces: QuotedPlace) -> bool:
    quoted = place(0, FELL)
    places = _completed(sentence, (quoted,), [quoted, *pieces], "", "en")
    return not faults_of(sentence, [one.quote for one in places], "", "en")


@pytest.mark.parametrize("told", ["by 38%", "as Ann Duffy counted"])
def test_numbers_and_names_stand_near_the_quotation_or_in_words_on_the_same(told: str) -> None:
    sentence = f"Late marks fell {told} in the schools with a walking bus."
    assert proven(sentence, place(len(FELL) + 1, NEXT))
    assert proven(sentence, place(900, f"With a walking bus, late marks of Duffy's schools fell by 38%: {NEXT}"))
    assert not proven(sentence, place(500, "In the town 38% of families own no car."))
    assert not proven(sentence, place(900, "Ann Duffy cooks lunch for the 38% of children who stay."))


@pytest.mark.parametrize(
    ("sentence", "quote", "is_proven"),
    [
        ("Children never explore from a secure base.", "Children explore from a secure base.", False),
        ("Children explore from no secure base.", "Children explore from a secure base.", False),
        ("Children explore not only from a secure base.", "Children explore from a secure base.", True),
        ("Not every child explores: seven of ten do.", "Of ten children seven explore.", True),
        ("Children do not explore.", "Without a secure base children explore little.", True),
    ],
)
def test_a_sentence_does_not_deny_its_quotation(sentence: str, quote: str, is_proven: bool) -> None:
    assert (not faults_of(sentence, [quote], "", "en")) is is_proven


def test_between_languages_only_dates_countries_and_the_quotations_own_names_pass() -> None:
    quotes = ["Los retrasos de los lunes de marzo bajaron en el Reino Unido, dice Ann Duffy."]
    true = "On each Monday in March fewer were late in the United Kingdom, says Ann Duffy."
    assert faults_of(true, quotes, "", None) == []
    [fault] = faults_of("Late marks fell, says Ford of Harvard in Boston.", quotes, "", None)
    assert all(name in fault for name in ("Ford", "Harvard", "Boston"))


@pytest.mark.parametrize(
    ("title", "publisher", "text", "kind"),
    [
        ("Trial of former mayor begins in Leeds", "The Courier", "He denies it.", "report"),
        ("The limited effects of walking buses", "The Courier", "They do little.", "report"),
        ("Walking buses", "The Marlow Trust", "They do much.", "provider"),
        ("Walking buses", "Research Network", "Schools drawn by lot and a control group.", "trial"),
    ],
)
def test_common_words_of_a_title_do_not_tell_its_kind(title: str, publisher: str, text: str, kind: str) -> None:
    assert strength_of(source("one", "one.example", text, title=title, publisher=publisher)) == kind
