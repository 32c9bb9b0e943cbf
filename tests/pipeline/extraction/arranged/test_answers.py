"""Answers to online forms and mails as they are printed."""

from __future__ import annotations

from pipeline.extract_ifi import read_entry
from pipeline.extraction.page_roles import PageRole, role_of
from pipeline.pages.page_model import PageContent
from tests.support.reading.paper import Set, page

LINE = "He helps me with my work and sings old songs."
GIVEN = {
    "student_name": "Marisol Vega",
    "school_name": "Juniper School",
    "grade": "4",
    "father_figure_name": "Ernesto Vega",
}


def stacked(pairs: list[tuple[str, str]], top: float = 60, step: float = 16, block: float = 48) -> list[Set]:
    """Each label above its value."""
    return [
        text
        for n, (label, value) in enumerate(pairs)
        for text in ((60, top + block * n, label, 11.0), (60, top + block * n + step, value, 11.0))
        if text[2]
    ]


def lines(top: float, count: int = 20, left: float = 60) -> list[Set]:
    return [(left, top + 16 * n, LINE, 11) for n in range(count)]


def read(*pages: PageContent) -> dict[str, str | None]:
    return {name: found.value for name, found in read_entry(pages)[0].items()}


PAIRS = [
    ("Student's Name *", "Marisol Vega"),
    ("School *", "Juniper School"),
    ("Grade *", "4"),
    ("Father/Father-Figure Name", "Ernesto Vega"),
]


def check(found: dict[str, str | None], words: int = 200) -> None:
    assert {name: found.get(name) for name in GIVEN} == GIVEN
    assert found["essay_text"] is not None
    assert set(found["essay_text"].splitlines()) == {LINE}
    assert found["word_count"] == str(words)


def test_labels_above_their_values() -> None:
    content = page(1, [*stacked(PAIRS), (60, 252, "Essay *", 11), *lines(268)])
    check(read(content))
    assert role_of(content).role is PageRole.HEADER
    assert {r.confidence for n, r in read_entry([content])[0].items() if n in GIVEN} == {1.0}


def test_bilingual_labels_of_a_form() -> None:
    pairs = [
        ("Student's Name / Nombre del Estudiante *", "Marisol Vega"),
        ("School / Escuela *", "Juniper School"),
        ("Grade / Grado *", "4"),
        ("Father/Father-Figure Name / Nombre del Padre/Figura Paterna", "Ernesto Vega"),
    ]
    check(read(page(1, [*stacked(pairs), (60, 252, "Essay / Ensayo *", 11), *lines(268)])))


def test_questions_of_which_nobody_asks_are_no_essay_and_no_value() -> None:
    pairs = [
        ("1. What is your name? *", "Marisol Vega"),
        ("2. What grade are you in? *", "4"),
        ("3. T-shirt size *", "Youth M"),
        ("4. School name *", "Juniper School"),
        ("5. Father's name *", "Ernesto Vega"),
        ("6. Teacher's email", "ms.falk@example.org"),
    ]
    found = read(page(1, [*stacked(pairs), (60, 350, "7. Your essay *", 11), *lines(366)]))
    check(found)
    assert "email" not in found


def test_first_and_last_name() -> None:
    pairs = [("First Name", "Marisol"), ("Last Name", "Vega"), *PAIRS[1:]]
    check(read(page(1, [*stacked(pairs), (60, 300, "Essay", 11), *lines(316)])))


def test_two_labels_in_a_row() -> None:
    right: list[Set] = [
        (340, 60, "Grade *", 11),
        (340, 76, "4", 11),
        (340, 108, "Father's name", 11),
        (340, 124, "Ernesto Vega", 11),
    ]
    check(read(page(1, [*stacked(PAIRS[:2]), *right, (60, 160, "Essay *", 11), *lines(176)])))


def test_labels_beside_their_values() -> None:
    rows: list[Set] = [
        (x, 60 + 24 * n, text, 11) for n, pair in enumerate(PAIRS) for x, text in zip((60, 240), pair, strict=True)
    ]
    check(read(page(1, [*rows, (60, 160, "Essay", 11), *lines(160, left=240)])))


def test_options_of_which_one_was_chosen_are_no_value() -> None:
    options: list[Set] = [(76, 170 + 16 * n, grade, 11) for n, grade in enumerate(("3", "4", "5"))]
    found = read(
        page(1, [*stacked(PAIRS[:2]), (60, 154, "Grade *", 11), *options, (60, 240, "Essay *", 11), *lines(256)])
    )
    assert found.get("grade") is None
    assert found["student_name"] == "Marisol Vega"


def test_the_essay_goes_on_over_the_page_up_to_the_next_question() -> None:
    first = page(1, [*stacked(PAIRS), (60, 252, "Essay *", 11), *lines(268)])
    second = page(
        2,
        [
            *lines(60, 5),
            (60, 170, "Parent's email *", 11),
            (60, 186, "e.vega@example.org", 11),
            (60, 740, "Google Forms", 11),
        ],
    )
    found = read(first, second)
    check(found, 250)
    assert found["email"] == "e.vega@example.org"


def test_a_mail_of_answers() -> None:
    mail: list[Set] = [
        (60, 40, "From: Dana Whitcombe <dana@example.org>", 11),
        (60, 56, "Subject: Thornfield Academy, essay by Leo", 11),
        (60, 72, "Date: February 11, 2026 at 3:14 PM", 11),
        (60, 88, "To: contest@example.org", 11),
    ]
    given = [
        "Student's Name: Marisol Vega",
        "School: Juniper School",
        "Grade: 4",
        "Father's Name: Ernesto Vega",
        "Essay:",
    ]
    rows: list[Set] = [(60, 120 + 16 * n, text, 11) for n, text in enumerate(given)]
    check(read(page(1, [*mail, *rows, *lines(200)])))
    check(read(page(1, [*mail, *stacked(PAIRS, 120), (60, 320, "Essay", 11), *lines(336)])))


def test_the_sender_of_a_mail_is_not_the_child() -> None:
    texts = [
        "From: Dana Whitcombe <dana@example.org>",
        "To: contest@example.org",
        "Subject: Thornfield Academy",
        "Date: Feb 11, 2026 3:14 PM",
    ]
    found = read(page(1, [*[(60.0, 40.0 + 16 * n, text, 11.0) for n, text in enumerate(texts)], *lines(130)]))
    assert not {"Dana Whitcombe", "Thornfield Academy"} & set(found.values())
    assert found["word_count"] == "200"


def test_a_long_answer_to_another_question_is_the_essay() -> None:
    for question in ("What does your father mean to you? *", "What does your father mean to you?"):
        check(read(page(1, [*stacked(PAIRS), (60, 252, question, 11), *lines(268)])))


def test_what_is_asked_with_a_colon_and_no_entry_has() -> None:
    rows: list[Set] = [
        (60, 60 + 20 * n, f"{label.strip(' *')}: {value}", 11)
        for n, (label, value) in enumerate([*PAIRS, ("Essay title", "The Clocks")])
    ]
    check(read(page(1, [*rows, (60, 160, "Essay:", 11), *lines(178)])))


def beside(pairs: list[tuple[str, str]], top: float = 60) -> list[Set]:
    """Each label in the left column of a table, in lines of its own, its value in the right one."""
    texts: list[Set] = []
    for label, value in pairs:
        parts = label.split("|")
        texts += [(40, top + 13 * n, part, 11) for n, part in enumerate(parts)]
        texts += [(260, top, value, 11)] if value else []
        top += 13 * len(parts) + 14
    return texts


def test_labels_of_two_lines_beside_their_values() -> None:
    pairs = [
        ("Your first name", "Marisol"),
        ("Your last name", "Vega"),
        ("Name of the|school", "Juniper School"),
        ("Your grade", "4"),
        ("Name of your father|or father figure", "Ernesto Vega"),
        ("Type or paste your|essay in this box", ""),
    ]
    content = page(1, [*beside(pairs), *lines(221, 20, left=260)])
    check(read(content))


def test_a_mail_of_an_online_form_with_labels_that_are_words_of_a_prompt() -> None:
    pairs = [
        ("Name of the student", "Marisol Vega"),
        ("Name of the school", "Juniper School"),
        ("Grade", "4"),
        ("Father figure", "Ernesto Vega"),
    ]
    foot: Set = (60, 268 + 16 * 20 + 20, "This message was sent by the form on entries.example.org", 11)
    check(read(page(1, [*stacked(pairs), (60, 252, "Essay", 11), *lines(268), foot])))
