"""Pages with the same print at the same places and other values are copies of a form, whatever the labels say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from core.config import load_settings
from pipeline.pages.page_model import PageContent, Source
from pipeline.reason_codes import ReasonCode
from pipeline.splitting.document_analysis import analyse_document
from tests.support.reading.paper import Set, moved, page

SETTINGS = load_settings()
CHILDREN = (
    ("Oskar Wendt", "Lindenhof", "4", "Jens Wendt"),
    ("Mila Pohl", "Haus am Anger", "6", "Arne Pohl"),
    ("Timo Rauch", "Waldblick", "2", "Udo Rauch"),
)
NOBODY = ("", "", "", "")
GERMAN = ("Verfasser", "Lehranstalt", "Jahrgang", "Vaterfigur")
POLISH = ("Autor pracy", "Placówka", "Oddział", "Opiekun")
UKRAINIAN = ("Автор твору", "Заклад", "Рік", "Тато")
CHINESE = ("作者姓名", "所在院校", "年级班次", "父亲姓名")
#: What each child tells, in lines that no other has.
TALES = (
    ["He mends the boats that the winter broke and he sings", "while the glue dries in the old shed by the lake"],
    [
        "Nobody bakes a bread like his and nobody tells a joke",
        "so badly that the whole kitchen laughs until night",
    ],
    [
        "When my bicycle lost a wheel he ran beside me for miles",
        "and then said that it had been a walk worth taking",
    ],
)
UNCERTAIN = [ReasonCode.SPLIT_UNCERTAIN.value]


def _tale(child: int, top: float, lines: int = 6) -> list[Set]:
    return [(60, top + 15 * n, TALES[child][n % 2]) for n in range(lines)]


def _beside(labels: Sequence[str], child: Sequence[str]) -> list[Set]:
    """Labels in one column, values in another."""
    found: list[Set] = [(150, 60, "Mein Vorbild", 15)]
    for place, (label, value) in enumerate(zip(labels, child, strict=True)):
        found += [(60, 100 + 20 * place, label), *([(220, 100 + 20 * place, value)] if value else [])]
    return found


def _under(labels: Sequence[str], child: Sequence[str]) -> list[Set]:
    """Two values in a row, their labels under them in small type."""
    found: list[Set] = [(150, 60, "Mein Vorbild", 15)]
    for place, (label, value) in enumerate(zip(labels, child, strict=True)):
        x, y = 60 + 260 * (place % 2), 100 + 40 * (place // 2)
        found += [*([(x, y, value)] if value else []), (x, y + 14, label, 7)]
    return found


def _within(labels: Sequence[str], child: Sequence[str]) -> list[Set]:
    """All in lines, so that what follows a value begins where that ends; a long one takes a line of its own."""
    (first, second, third, fourth) = zip(labels, child, strict=True)
    long = [(60.0, 98.0, "und Schule am Bach")] if " " in child[1] else []
    lower = 18 * len(long)
    return [
        (60, 80, f"{first[0]}: {first[1]} {second[0]}: {second[1]}"),
        *long,
        (60, 98 + lower, f"{third[0]}: {third[1]} {fourth[0]}: {fourth[1]}"),
    ]


LAYOUTS: dict[str, Callable[[Sequence[str], Sequence[str]], list[Set]]] = {
    "beside": _beside,
    "under": _under,
    "within": _within,
}


def _entries(pages: Sequence[PageContent]) -> list[tuple[int, int]]:
    return [(chunk.page_start, chunk.page_end) for chunk in analyse_document(pages, SETTINGS).chunks]


def _doubts(pages: Sequence[PageContent]) -> list[list[str]]:
    return [chunk.doubts for chunk in analyse_document(pages, SETTINGS).chunks]


def _scanned(number: int, texts: Sequence[Set]) -> PageContent:
    """A page as a scanner lays it, each time a little differently."""
    laid = page(number, texts, source=Source.OCR, confidence=0.97)
    return moved(laid, 7 * (-1) ** number, 5 * number, 1 + 0.01 * number, 0.01 * (-1) ** number)


@pytest.mark.parametrize("layout", list(LAYOUTS))
@pytest.mark.parametrize("labels", [GERMAN, POLISH, UKRAINIAN, CHINESE])
def test_each_copy_is_an_entry(layout: str, labels: tuple[str, ...]) -> None:
    texts = [[*LAYOUTS[layout](labels, child), *_tale(n, 200)] for n, child in enumerate(CHILDREN)]
    assert _entries([page(n, text) for n, text in enumerate(texts, 1)]) == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize("layout", ["beside", "under"])
def test_scanned_copies_lie_differently_and_are_misread(layout: str) -> None:
    texts = [[*LAYOUTS[layout](POLISH, child), *_tale(n, 200)] for n, child in enumerate(CHILDREN)]
    texts[1] = [(x, y, text.replace("Placówka", "Placowka"), *size) for x, y, text, *size in texts[1]]  # type: ignore[misc]
    assert _entries([_scanned(n, text) for n, text in enumerate(texts, 1)]) == [(1, 1), (2, 2), (3, 3)]


def test_a_page_without_the_print_goes_on() -> None:
    pages = []
    for n, child in enumerate(CHILDREN):
        pages += [page(2 * n + 1, _under(GERMAN, child)), page(2 * n + 2, _tale(n, 60, 12))]
    assert _entries(pages) == [(1, 2), (3, 4), (5, 6)]


def test_cards_with_a_name_and_a_year_alone_are_parted() -> None:
    pages = []
    for n, child in enumerate(CHILDREN):
        card: list[Set] = [
            (60, 100, "Verfasser"),
            (180, 100, child[0]),
            (60, 130, "Jahrgang"),
            (180, 130, child[2]),
        ]
        pages += [page(2 * n + 1, card), page(2 * n + 2, _tale(n, 60, 12))]
    assert _entries(pages) == [(1, 2), (3, 4), (5, 6)]


def test_the_number_of_a_page_is_no_value() -> None:
    foot: list[Set] = [(60, 60, "Juniper Hill School"), (60, 760, "Essays of the year: page")]
    pages = [page(n + 1, [*foot, *_tale(n, 120, 30 - 29 * n), (250, 760, str(n + 1))]) for n in range(2)]
    assert _doubts(pages) == [[]]


def test_the_second_page_of_a_form_begins_nothing() -> None:
    pages = []
    for n, child in enumerate(CHILDREN):
        signed: list[Set] = [(60, 500, "Ort und Tag"), (200, 500, ("Jena", "Aurich", "Fulda")[n])]
        signed += [(60, 530, "Unterschrift"), (200, 530, child[3])]
        pages += [page(2 * n + 1, _under(POLISH, child)), page(2 * n + 2, [*_tale(n, 60), *signed])]
    assert _entries(pages) == [(1, 2), (3, 4), (5, 6)]


def test_what_stands_on_all_pages_of_one_text_parts_nothing() -> None:
    pages = []
    for n in range(3):
        head: list[Set] = [
            (60, 50, "Juniper Hill School, 12 Orchard Road, Millbrook"),
            (60, 770, "Essays of the year"),
        ]
        own: list[Set] = [(60, 80, "Name: Marta Lindgren"), (60, 98, "Grade: 5")] if n == 0 else []
        pages.append(page(n + 1, [*head, *own, *_tale(n, 120, 30)]))
    assert _entries(pages) == [(1, 3)]
    assert _doubts(pages) == [[]]


def test_a_head_with_the_same_child_on_each_page_parts_nothing() -> None:
    head: list[Set] = [(60, 80, "Name: Marta Lindgren"), (60, 98, "School: Juniper Hill"), (60, 116, "Grade: 5")]
    pages = [page(n + 1, [*head, (300, 80, f"Page {n + 1}"), *_tale(n, 150, 30)]) for n in range(2)]
    assert _entries(pages) == [(1, 2)]


@pytest.mark.parametrize("order", ["f_f_f_", "_f_ff", "ff__f"])
def test_unfilled_copies_are_nobodys(order: str) -> None:
    filled = iter(range(3))
    pages, numbers = [], []
    for number, letter in enumerate(order, 1):
        if letter == "f":
            child = next(filled)
            pages.append(page(number, [*_under(GERMAN, CHILDREN[child]), *_tale(child, 200)]))
            numbers.append((number, number))
        else:
            pages.append(page(number, _under(GERMAN, NOBODY)))
    assert _entries(pages) == numbers


def test_a_copy_that_is_hardly_filled_is_not_left_out() -> None:
    pages = [page(1, [*_under(GERMAN, CHILDREN[0]), *_tale(0, 200)]), page(2, _under(GERMAN, ("", "", "6", "")))]
    assert _entries(pages) == [(1, 1), (2, 2)]
    assert UNCERTAIN[0] in _doubts(pages)[1]


def test_a_scan_with_as_much_ink_as_a_filled_one_is_shown_to_a_person() -> None:
    pages = [_scanned(1, [*_under(GERMAN, CHILDREN[0]), *_tale(0, 200)]), _scanned(2, _under(GERMAN, NOBODY))]
    assert _entries(pages) == [(1, 1), (2, 2)]
    filled = [*_under(GERMAN, CHILDREN[0]), *_tale(0, 200)]
    assert _entries([_scanned(1, _under(GERMAN, NOBODY)), _scanned(2, filled)]) == [(1, 1), (2, 2)]
    pages[1].ink = 0.2 * pages[0].ink
    assert _entries(pages) == [(1, 1)]


def test_pages_before_the_first_copy_leave_it_open_where_entries_begin() -> None:
    pages = []
    for n, child in enumerate(CHILDREN):
        pages += [page(2 * n + 1, _tale(n, 60, 12)), page(2 * n + 2, _under(POLISH, child))]
    assert all(UNCERTAIN[0] in doubts for doubts in _doubts(pages))


def test_a_second_sheet_without_a_name_may_be_the_same_childs() -> None:
    questions = ("Who is he to you?", "What does he do all day?", "Why do you thank him?")
    pages = []
    for n in range(2):
        head: list[Set] = [(60, 60, "Name:"), (60, 80, "School:"), (60, 100, "Grade:")]
        if n == 0:
            head += [(130, 60, "Marta Lindgren"), (130, 80, "Juniper Hill School"), (130, 100, "5")]
        asked: list[Set] = [(60, 140 + 90 * at, question) for at, question in enumerate(questions)]
        told = [line for at in range(3) for line in _tale((n + at) % 3, 160 + 90 * at, 3)]
        pages.append(page(n + 1, [*head, *asked, *told]))
    assert _doubts(pages) == [UNCERTAIN, UNCERTAIN]


def test_papers_of_one_class_differ_in_the_name_alone() -> None:
    pages = []
    for n in range(2):
        lines = (CHILDREN[n][0], "Frau Albers", "Deutsch, Klasse 4b", "12. Mai 2026")
        head: list[Set] = [(72, 60 + 20 * at, line) for at, line in enumerate(lines)]
        pages.append(page(n + 1, [*head, *_tale(n, 170, 20)]))
    assert _doubts(pages) == [UNCERTAIN, UNCERTAIN]


@pytest.mark.parametrize("second", [(0, 300), (0, 520), (0, 390)])
def test_two_forms_on_a_page_are_seen_wherever_they_stand(second: tuple[float, float]) -> None:
    texts: list[Set] = []
    for n, (dx, dy) in enumerate(((0.0, 0.0), second)):
        texts += [(x + dx, y + dy, *rest) for x, y, *rest in [*_beside(GERMAN, CHILDREN[n]), *_tale(n, 190, 4)]]
    assert _doubts([page(1, texts)]) == [[ReasonCode.MORE_IN_FILE.value]]


def test_the_same_labels_for_both_parents_are_no_second_form() -> None:
    texts = _beside(GERMAN, CHILDREN[0])
    for n, parent in enumerate(("Jens Wendt", "Ida Wendt")):
        for at, (label, value) in enumerate((("Contact", parent), ("Street", "Am Bach 4"), ("Called", "at noon"))):
            texts += [(60, 200 + 70 * n + 20 * at, label), (220, 200 + 70 * n + 20 * at, value)]
    assert _doubts([page(1, [*texts, *_tale(0, 360, 8)])]) == [[]]
