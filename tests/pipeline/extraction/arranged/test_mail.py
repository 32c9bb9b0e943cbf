import pytest

from pipeline.extraction.layouts.online_answers import without_mail
from pipeline.extraction.tokens import page_lines, token_text
from tests.support.reading.paper import Set, page

MESSAGE = ["Marisol Vega", "Juniper School", "Grade 4", "He helps me with my work and sings old songs."]


def left(*above: str, below: tuple[str, ...] = ()) -> list[str]:
    texts: list[Set] = [(60, 40 + 16 * n, text) for n, text in enumerate([*above, *MESSAGE, *below])]
    message, _ = without_mail(page_lines(page(1, texts)))
    return [token_text(line) for line in message]


@pytest.mark.parametrize(
    "above",
    [
        (
            "From: Dana Whitcombe dana@example.org",
            "Subject: Thornfield essay",
            "Date: February 11, 2026",
            "To: contest@example.org",
        ),
        (
            "Rosa Tamblyn",
            "From: Office <office@example.org>",
            "Sent: Thursday, February 12, 2026 8:41 AM",
            "To: contest@example.org",
            "Subject: Essay",
            "Attachments: essay.docx",
        ),
        (
            "Gmail",
            "Essay for Leo Whitcombe",
            "1 message",
            "Dana Whitcombe <dana@example.org> Wed, Feb 11, 2026 at 3:14 PM",
            "To: contest@example.org",
        ),
        (
            "De: Dana Whitcombe <dana@example.org>",
            "Enviado el: jueves, 12 de febrero de 2026 8:41",
            "Para: contest@example.org",
            "Asunto: Ensayo",
        ),
        (
            "From: Office <office@example.org>",
            "To: contest@example.org",
            "Subject: Fwd: essay",
            "Please see below.",
            "---------- Forwarded message ---------",
            "From: Dana <dana@example.org>",
            "Date: Wed, Feb 11, 2026 at 3:14 PM",
            "Subject: essay",
            "To: Office <office@example.org>",
        ),
    ],
)
def test_a_mails_header_is_no_part_of_the_message(above: tuple[str, ...]) -> None:
    assert left(*above) == MESSAGE
    assert left(*above, below=("Sent from my iPhone",)) == MESSAGE


@pytest.mark.parametrize(
    "above",
    [
        (),
        ("To: My Dad", "From: Marisol Vega", "Date: March 3, 2026"),
        ("Dear Dad,", "Subject: my hero"),
        ("Name: Marisol Vega", "Email: e.vega@example.org", "Date: March 3, 2026"),
    ],
)
def test_a_letter_and_a_header_are_no_mail(above: tuple[str, ...]) -> None:
    assert left(*above) == [*above, *MESSAGE]
