"""The parts of a request that ask something."""

from __future__ import annotations

import pytest

from research.questions.asking import asking_parts, aspects_of, question_on, subject_of_all
from research.report_type import RequestWording, read

_CHATTY = (
    "The board meets on Friday and somebody will bring up the ladder shed again. What does a shed cost in a year? "
    "Do neighbours return the long ladders? Thank you, M. Oxley"
)
_LISTED = (
    "Dear all, we need a note on:\n(a) the cost per loan;\n(b) what goes wrong in winter.\nMany thanks, B. Rudd"
)


def test_greetings_and_reasons_are_left_out() -> None:
    assert asking_parts(_CHATTY) == ["What does a shed cost in a year?", "Do neighbours return the long ladders?"]
    assert asking_parts(_LISTED) == ["the cost per loan", "what goes wrong in winter"]


def test_one_question_is_not_divided() -> None:
    assert asking_parts("How do mobile clinics affect vaccination rates in rural Kenya?") == []


def test_aspects_of_a_request_of_several_parts() -> None:
    assert aspects_of(_LISTED, "en") == ["cost per loan", "goes wrong in winter"]
    assert aspects_of("¿Cuánto cuestan los huertos al año? ¿Por qué?\n¿Quién los riega en verano?", "es") == [
        "cuestan los huertos al año",
        "riega en verano",
    ]


@pytest.mark.parametrize("filler", ["5 ", "five, ", "a,", "x?", "3-5 or "])
def test_what_is_looked_at_beside_all_else_is_bounded(filler: str) -> None:
    request = "List 7 cities with name and population. " + filler * 1000
    wording = RequestWording(request)
    assert len(wording.numbers) <= 60 and len(wording.parts) <= 120
    assert wording.numbers[0].value == 7
    assert read(request) is read(request), "it is read once"


@pytest.mark.parametrize(
    ("letter", "language", "aspects"),
    [
        (
            "hello, this is tom from the county. need background on tool libraries. what do they lend, who "
            "runs them + do they last?? also the clerk asks about insurance, does it pay for theft. two pages "
            "please, sent from my phone",
            "en",
            ["what do they lend", "who runs them", "do they last", "pay for theft"],
        ),
        (
            "Buenos días:\nLe escribe Luz Amparo, de la alcaldía; qué pena molestarlo. Necesito saber: cuánto "
            "cuesta una ludoteca, quién la atiende, y si los niños vuelven. Muchas gracias\nLuz Amparo Gil",
            "es",
            ["cuesta una ludoteca", "quién la atiende", "niños vuelven"],
        ),
        (
            "Dear team, I am Ana Ruiz of the Elm. Please send a report on walking buses. Best wishes, Ana Ruiz",
            "en",
            ["walking buses"],
        ),
        (
            "Hola, soy Marta Peña. Necesito saber si los huertos mejoran la nutrición. Saludos, Marta Peña",
            "es",
            ["huertos mejoran la nutrición"],
        ),
        (
            "Hi all\n\nWhat works against loneliness in old age?\n\nKind regards\nDr. P. Holm, Chair",
            "en",
            ["works against loneliness in old age"],
        ),
        ("Best practices for school gardens", "en", ["Best practices for school gardens"]),
    ],
)
def test_greetings_names_and_signatures_are_no_aspects(letter: str, language: str, aspects: list[str]) -> None:
    assert aspects_of(letter, language) == aspects


def test_the_subject_of_a_letter_is_what_it_wants_to_read_about() -> None:
    letter = (
        "Hi, Sam here. I need background on tool libraries (we may open one). Who pays? What breaks? Cheers, Sam"
    )
    assert subject_of_all(letter, "en") == "tool libraries"


@pytest.mark.parametrize(
    "query",
    [
        "Do donated copies alone get folks to read more often?",
        "¿A qué hora del día agarran un libro con más gusto?",
    ],
)
def test_the_subject_of_one_question_is_asked_as_it_stands(query: str) -> None:
    [aspect] = aspects_of(query, "es" if query.startswith("¿") else "en")
    assert question_on(aspect, query) == query


def test_a_field_is_asked_by_itself() -> None:
    query = "Which sheds lend tools to schools? List 5 with costs and opening hours"
    subject, *fields = aspects_of(query, "en")
    assert [question_on(one, query) for one in fields] == fields != []
    assert "costs" not in question_on(subject, query)
