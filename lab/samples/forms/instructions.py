"""The second page of the official form: contest details, judging and rules, in words of our own."""

from __future__ import annotations

from core.confined.mupdf import pymupdf
from lab.samples.canvas import LETTER, Canvas, wrap

_PARTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "CONTEST DETAILS",
        "Every student writes one essay of at most 3000 characters about the theme “What My Father "
        "or an Important "
        "Father-Figure Means to Me.” Tell in your own voice what he is like, what you do together, "
        "what makes you glad and "
        "what is hard, and what you would wish for the two of you. A father-figure may be a "
        "stepdad, a grandfather, an uncle, "
        "a coach, a pastor, a rabbi, God, or the father that you imagine.",
        (),
    ),
    (
        "CRITERIA FOR ESSAY JUDGING",
        "Essays are compared with others of the same grade level. Judges look at four things:",
        (
            "How well the essay shows the relationship.",
            "Stories and details that let the reader see the character of the father or father-figure.",
            "Honest, clear and simple writing.",
            "Writing skill that fits the grade of the student.",
        ),
    ),
    (
        "JUDGING PROCESS",
        "",
        (
            "Essays are sorted into 13 grade levels (K-12).",
            "Volunteers read every single essay with these criteria and pass the best of the first "
            "round on to a final "
            "reading session.",
            "In the final session up to 10 essays of each grade are chosen; as many as 130 "
            "semi-finalists are honored.",
            "The 13 authors with the highest marks are guests of the Fatherhood Dinner Celebration.",
            "Each student who takes part gets a Certificate of Participation.",
        ),
    ),
    (
        "RULES",
        "",
        (
            "Only one entry for each person.",
            "The essay must be the student's own original work, made without the help of AI.",
            "Entries belong to the contest once they are handed in; we cannot send them back.",
            "With the entry the copyright of the essay passes to the contest, which may print all "
            "of the essay and of the "
            "response or any part of it, anywhere in the world and without payment, in its "
            "publications and media channels.",
            "Where suitable, and if a parent or guardian agrees, the author is named when a longer "
            "part of an essay or "
            "response is used; names are changed or left out on request.",
            "The contest is open to students of the state (K-12).",
            "Entries have to be uploaded or postmarked by March 19th.",
            "Completed forms may be uploaded at essays.example.org or sent by mail to:",
        ),
    ),
)
_ADDRESS = "4410 W. Lantern Avenue, #2208, Fernbrook, IL 60099."


def draw(doc: pymupdf.Document, size: float = 12, left: float = 33, first_y: float = 78) -> None:
    """Draw the instructions on as many pages as the size needs (12 pt: one)."""
    canvas, y = Canvas(doc, LETTER), first_y
    for x, text, gap in _lines(size, left):
        y += gap
        if y > 765:
            canvas, y = Canvas(doc, LETTER), 78.0
        if text:
            canvas.text(x, y, text, size)


def _lines(size: float, left: float) -> list[tuple[float, str, float]]:
    """Each line with its x and the distance from the line before."""
    step = size * 1.2
    lines: list[tuple[float, str, float]] = []
    for title, body, points in _PARTS:
        lines.append((left, title, step * 1.6))
        lines += [(left, line, step * (1.6 if i == 0 else 1)) for i, line in enumerate(wrap(body, 520, size))]
        for number, point in enumerate(points, 1):
            for i, line in enumerate(wrap(point, 440, size)):
                lines.append((left + 35, f"{number}. {line}" if i == 0 else f"    {line}", step))
    lines.append((left + 70, _ADDRESS, step * 1.5))
    return lines
