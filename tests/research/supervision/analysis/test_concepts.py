"""Which concepts texts rest on, however they bring them in, and which phrases are none."""

from __future__ import annotations

import pytest

from research.supervision.analysis.concepts import Term, concepts_of, planned_concepts
from tests.support.research.source_texts import source_texts


def concepts(*texts: str, language: str = "en") -> list[Term]:
    numbered = {f"s{number}": text for number, text in enumerate(texts)}
    return concepts_of([*source_texts(language, **numbered).items()], language)


def terms(*texts: str, language: str = "en") -> list[str]:
    return [concept.written for concept in concepts(*texts, language=language)]


@pytest.mark.parametrize(
    ("sentences", "term"),
    [
        (
            (
                "Role identity theory explains it.",
                "We rely on role identity theory.",
                "Role identity theory is old.",
            ),
            "role identity theory",
        ),
        (
            ("The concept of social capital is used.", "Social capital grows.", "Trust makes social capital."),
            "social capital",
        ),
        (
            ("Help that is withdrawn is known as scaffolding.", "Scaffolding ends.", "Scaffolding takes time."),
            "scaffolding",
        ),
        (
            (
                "This is what Ode called the hidden curriculum.",
                "The hidden curriculum stays.",
                "A hidden curriculum.",
            ),
            "hidden curriculum",
        ),
        (
            ("Role strain, a term coined by Ode, is felt.", "There was role strain.", "Role strain grew."),
            "role strain",
        ),
        (
            ("“Moral hazard” spread.", "Moral hazard cost much.", "Moral hazard refers to care that lapses."),
            "moral hazard",
        ),
        (
            (
                "Technical debt was paid.",
                "They had technical debt.",
                "Technical debt grows.",
                "Old technical debt.",
            ),
            "technical debt",
        ),
    ],
)
def test_however_it_is_brought_in(sentences: tuple[str, ...], term: str) -> None:
    assert term in terms(*sentences)


@pytest.mark.parametrize(
    ("sentences", "term"),
    [
        (
            ("La teoría del apego lo explica.", "Partimos de la teoría del apego.", "El apego tarda."),
            "apego",
        ),
        (
            (
                "Se entiende por capital cultural lo heredado.",
                "El capital cultural pesa.",
                "Hay capital cultural.",
            ),
            "capital cultural",
        ),
        (
            (
                "Es la llamada justicia restaurativa.",
                "La justicia restaurativa repara.",
                "Hay justicia restaurativa.",
            ),
            "justicia restaurativa",
        ),
        (
            (
                "La brecha digital crece.",
                "Hay brecha digital.",
                "Sobre la brecha digital.",
                "Otra brecha digital.",
            ),
            "brecha digital",
        ),
    ],
)
def test_in_spanish(sentences: tuple[str, ...], term: str) -> None:
    assert any(term in found for found in terms(*sentences, language="es"))


@pytest.mark.parametrize(
    "phrase",
    ["annual report", "steering committee", "random sample", "response rate", "Lantern Hill", "last week"],
)
def test_frequent_phrases_that_are_no_concepts(phrase: str) -> None:
    texts = [f"{before} the {phrase} {behind}." for before, behind in zip("ABCDE", "vwxyz", strict=True)]
    assert terms(*texts) == []


@pytest.mark.parametrize("phrase", ["informe anual", "tasa de respuesta", "grupo de control", "curso escolar"])
def test_frequent_phrases_in_spanish(phrase: str) -> None:
    texts = [f"{before} el {phrase} {behind}." for before, behind in zip("ABCDE", "vwxyz", strict=True)]
    assert terms(*texts, language="es") == []


def test_numbers_in_words_are_no_concepts() -> None:
    texts = [f"{before} nineteen {behind}." for before, behind in zip("ABCDE", "vwxyz", strict=True)]
    assert terms(*texts, "Nineteen explains it.", "Nineteen predicts it.") == []


def test_people_who_say_something_are_no_concept() -> None:
    people = ("A provider says that it pays.", "The provider was paid.", "Pay a provider.", "Providers pay.")
    assert terms(*people) == []


def test_the_whole_term_is_named_once() -> None:
    texts = [f"{word} the zone of proximal development." for word in ("Find", "Enter", "Leave", "Watch")]
    assert terms(*texts) == ["zone of proximal development"]


def test_an_abbreviation_is_the_concept_itself() -> None:
    (found,) = concepts("The zone of proximal development (ZPD) is wide.", "Work in the ZPD.", "The ZPD moves.")
    assert (found.written, len(found.sentences), found.sources) == (
        "zone of proximal development",
        3,
        {"s0", "s1", "s2"},
    )


def test_with_a_hyphen_or_without() -> None:
    texts = ("Code-switching helps.", "They call it code switching.", "Code-switching is a skill.")
    (found,) = concepts(*texts)
    assert (found.written, len(found.sentences)) == ("code-switching", 3)


def test_what_is_copied_counts_once() -> None:
    assert terms(*["The concept of social capital counts."] * 5) == []


def test_one_author_alone_makes_no_foundation() -> None:
    assert terms("The concept of social capital. Social capital grows. Social capital pays.", "It rains.") == []


def test_what_more_sources_rest_on_comes_first() -> None:
    texts = [
        "The concept of social capital is used. The notion of moral hazard is used.",
        "Social capital grows. A moral hazard is there.",
        "They had social capital. No moral hazard was seen.",
        "Known as social capital, it lasts.",
    ]
    assert terms(*texts)[:2] == ["social capital", "moral hazard"]


@pytest.mark.parametrize(
    ("language", "question", "named"),
    [
        ("en", "What does attachment theory say of fathers?", ["attachment theory"]),
        (
            "en",
            "How do self-determination theory and social learning theory explain reading?",
            ["self-determination theory", "social learning theory"],
        ),
        ("en", "Which theories are used, and what do they cost?", []),
        ("es", "¿Qué dice la teoría del apego sobre los padres?", ["teoría del apego"]),
        ("es", "¿Qué hacen los padres en la escuela?", []),
    ],
)
def test_theories_that_a_plan_names(language: str, question: str, named: list[str]) -> None:
    assert planned_concepts([question, question], language) == named
