"""PDFs whose pages repeat what the forms print, which readers of forms look for, as often as a page may."""

from __future__ import annotations

from collections.abc import Iterable

from lab.fuzz.packed import deflated
from lab.fuzz.pdf_file import HELVETICA, one_page
from pipeline.profiles import PrintedRole, form_profiles

#: Fewer than the words and letters that a page may hold.
_WORDS, _LETTERS = 9_900, 95_000


def printed_texts_side_by_side() -> bytes:
    """All that the forms print, again and again over the page."""
    return _grid(_texts(*PrintedRole))


def labels_side_by_side() -> bytes:
    """All labels of the forms, again and again over the page."""
    return _grid(_texts(PrintedRole.LABEL))


def labels_below_each_other() -> bytes:
    """All labels of the forms in one column, each a hair below the last."""
    return _column(_texts(PrintedRole.LABEL))


def printed_texts_below_each_other() -> bytes:
    """All that the forms print in one column, each a hair below the last."""
    return _column(_texts(*PrintedRole))


def labels_with_values_over_each_other() -> bytes:
    """Labels, names, grades, telephone numbers and addresses, all in the same ten lines."""
    values = ["Ana Lee", "5th grade", "555-0100", "ana@a.example", "Lakeview Elementary School", "my father"]
    texts = [text for label in _texts(PrintedRole.LABEL) for text in (label, *values)]
    places = ((20 + number * 0.7 % 500, 780 - number % 10 * 12) for number in range(_WORDS))
    return _drawn(texts, places)


def titles_and_prompts() -> bytes:
    """The titles and prompts of the forms alone, so often that each line could be the header's last."""
    return _grid(_texts(PrintedRole.TITLE, PrintedRole.PROMPT, PrintedRole.REACTION))


def _texts(*roles: PrintedRole) -> list[str]:
    return [
        text
        for form in form_profiles()
        for printed in form.printed
        if printed.role in roles
        for text in printed.texts
    ]


def _grid(texts: list[str]) -> bytes:
    return _drawn(texts, ((8 + number % 12 * 50, 785 - number // 12 * 0.9) for number in range(_WORDS)))


def _column(texts: list[str]) -> bytes:
    return _drawn(texts, ((40.0, 790 - number * 0.04) for number in range(_WORDS)))


def _drawn(texts: list[str], places: Iterable[tuple[float, float]]) -> bytes:
    out, words, letters = ["BT /F 2 Tf"], 0, 0
    for number, (x, y) in enumerate(places):
        text = texts[number % len(texts)]
        words, letters = words + len(text.split()), letters + len(text)
        if words > _WORDS or letters > _LETTERS:
            break
        safe = text.replace("\\", "").replace("(", "\\(").replace(")", "\\)")
        out.append(f"1 0 0 1 {x:.2f} {y:.2f} Tm ({safe}) Tj")
    content = "\n".join([*out, "ET"]).encode("latin-1", "replace")
    return one_page(deflated([content]), b"/Font<</F 5 0 R>>", HELVETICA, packing=b"/Filter/FlateDecode")
