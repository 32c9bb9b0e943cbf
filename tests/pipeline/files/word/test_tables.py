"""Tables of a Word file: rows that are entries, labels with their values beside them, lists that stay tables."""

from __future__ import annotations

import pytest

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.extract_ifi import read_entry
from pipeline.files.intake import to_pdf
from pipeline.files.word.document import docx_to_pdf
from pipeline.recognition.page_contents import read_pages
from pipeline.splitting.document_analysis import analyse_document
from tests.support.reading.documents import docx, paragraph, with_relations, word_part

SETTINGS = load_settings()
BOUNDS = SETTINGS.file_bounds
ESSAYS = (
    "My aunt raised me and she is a father to me. She fixes boats in a yard that smells of tar.",
    "Dad reads to us each night until the lamp hums. He does all the voices, also of the bear.",
    "Grandpa and I count trains from the bridge. He knows where each of them has come from.",
)
CHILDREN = (
    ("Odalys Brenner", "Marsh Hollow School", "5", ESSAYS[0]),
    ("Theo Castellan", "Lantern Hill School", "2", ESSAYS[1]),
    ("Ines Marlowe", "Old Quarry School", "7", ESSAYS[2]),
)


def cell(content: str, properties: str = "") -> str:
    held = content if content.startswith("<w:") else paragraph(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{held}</w:tc>"


def table(*rows: tuple[str, ...]) -> str:
    filled = ("".join(map(cell, row)) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{cells}</w:tr>' for cells in filled)}</w:tbl>"


def values_of(body: str) -> list[tuple[str | None, ...]]:
    pages = read_pages(to_pdf(docx(body), "a.docx", SETTINGS).pdf, SETTINGS, None)
    found = []
    for chunk in analyse_document(pages, SETTINGS).chunks:
        readings, _ = read_entry(pages[chunk.page_start - 1 : chunk.page_end])
        names = ("student_name", "school_name", "grade", "essay_text")
        values = (readings[name].value if name in readings else None for name in names)
        found.append(tuple(" ".join(value.split()) if value else None for value in values))
    return found


def lines_of(body: str) -> list[str]:
    with pymupdf.open("pdf", docx_to_pdf(docx(body), BOUNDS).pdf) as document:
        return [line for page in document for line in page.get_text().splitlines()]


def test_each_row_of_a_table_of_entries_is_one() -> None:
    rows = table(("Student", "School", "Grade", "Essay"), *CHILDREN)
    assert values_of(paragraph("Essays of the spring") + rows) == list(CHILDREN)


def test_the_columns_come_in_any_order_and_language() -> None:
    head = ("Ensayo", "Nombre del estudiante", "Grado", "Escuela")
    rows = [(essay, name, grade, school) for name, school, grade, essay in CHILDREN]
    assert values_of(table(("Los ensayos del tercer salón",), head, *rows)) == list(CHILDREN)


LONG = " ".join(("We mended the old boat and he sang all day until it swam.",) * 3)
STRANGE = ("Autor pracy", "Placówka", "Oddział", "Praca")


@pytest.mark.parametrize("labels", [STRANGE, ("", "Campus", "Year", "Essay")], ids=["strange", "empty corner"])
@pytest.mark.parametrize("is_turned", [False, True], ids=["rows", "columns"])
def test_a_table_of_texts_is_one_of_entries_whatever_its_labels_say(
    labels: tuple[str, ...], is_turned: bool
) -> None:
    rows = [labels, *((*child[:3], f"{child[3]} {LONG}") for child in CHILDREN)]
    filled = list(zip(*rows, strict=True)) if is_turned else rows
    pages = read_pages(to_pdf(docx(table(*filled)), "a.docx", SETTINGS).pdf, SETTINGS, None)
    chunks = analyse_document(pages, SETTINGS).chunks
    assert [(chunk.page_start, chunk.page_end) for chunk in chunks] == [(1, 1), (2, 2), (3, 3)]
    for page, child in zip(pages, CHILDREN, strict=True):
        assert child[0].split()[0] in {word.text for word in page.words}


def test_a_column_for_each_child_is_read_as_a_row() -> None:
    rows = [("Student", "School", "Grade", "Essay"), *CHILDREN]
    assert values_of(table(*zip(*rows, strict=True))) == list(CHILDREN)


@pytest.mark.parametrize(
    "rows",
    [
        [("Student", "{0}"), ("School", "{1}"), ("Grade", "{2}")],
        [("Name:", "{0}", "Grade:", "{2}"), ("School:", "{1}", "", "")],
        [("A heading over all",), ("Name", "{0}"), ("School", "{1}"), ("Grade", "{2}"), ("{3}",)],
        [("Name", "Grade", "School"), ("{0}", "{2}", "{1}")],
    ],
    ids=["one below the other", "two in a row", "with the essay", "labels above"],
)
def test_labels_in_cells_stand_before_their_values(rows: list[tuple[str, ...]]) -> None:
    child = ("Maximiliana Castellanos-Brennerfeld", "Saint Bartholomew of the Valley School", "5", ESSAYS[0])
    filled = table(*(tuple(text.format(*child) for text in row) for row in rows))
    essay = "" if any("{3}" in row for row in rows) else paragraph(ESSAYS[0])
    assert values_of(filled + essay) == [child]


def test_a_table_within_a_cell_is_read_with_it() -> None:
    inner = table(("Phone", "(312) 555-0171"), ("Father", "Piet Brenner")) + "<w:p/>"
    lines = lines_of(table(("Name", "Odalys Brenner"), ("Grade", "5"), (inner,)))
    assert lines == ["Name: Odalys Brenner", "Grade: 5", "Phone: (312) 555-0171", "Father: Piet Brenner"]


@pytest.mark.parametrize(
    "rows",
    [
        [("No.", "Child", "Grade"), ("1", "Odalys Brenner", "5"), ("2", "Theo Castellan", "2")],
        [
            ("Name", "School", "Grade"),
            ("Odalys Brenner", "Old Quarry", "5"),
            ("Theo Castellan", "Old Quarry", "2"),
        ],
        [("My dad", "My aunt"), ("He cooks", "She sails")],
    ],
)
def test_other_tables_stay(rows: list[tuple[str, ...]]) -> None:
    assert ":" not in " ".join(lines_of(table(*rows)))


def test_each_section_with_a_footer_of_its_own_is_an_entry() -> None:
    body, targets, parts = "", {}, {}
    for number, (name, school, grade, essay) in enumerate(CHILDREN):
        key, file = f"rId{20 + number}", f"footer{number}.xml"
        targets[key] = f"footer {file}"
        parts[file] = word_part(
            "ftr", table((f"Student: {name}", f"School: {school}", f"Grade: {grade}")) + "<w:p/>"
        )
        section = f'<w:sectPr><w:footerReference w:type="default" r:id="{key}"/></w:sectPr>'
        is_last = number == len(CHILDREN) - 1
        body += paragraph(essay) + (section if is_last else f"<w:p><w:pPr>{section}</w:pPr></w:p>")
    data = with_relations(body, targets, dict(parts))
    pages = read_pages(to_pdf(data, "a.docx", SETTINGS).pdf, SETTINGS, None)
    chunks = analyse_document(pages, SETTINGS).chunks
    assert [(chunk.page_start, chunk.page_end, chunk.doubts) for chunk in chunks] == [
        (n, n, []) for n in (1, 2, 3)
    ]
    read = [read_entry(pages[chunk.page_start - 1 : chunk.page_end])[0] for chunk in chunks]
    assert [found["student_name"].value for found in read] == [child[0] for child in CHILDREN]
