"""Documents of every format become passages that are the whole text; bad ones become sentences."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest

from core.confined.mupdf import pymupdf
from core.messages import Message, say
from core.models import LibraryKind
from services.context import Context
from services.library.documents import GivenMetadata, add_document
from services.library.reading import read_library_document
from services.uploads.submit import IncomingFile
from tests.support.research.library import add_and_read, document_of, passages_of, text_of

MARKDOWN = """---
title: Reading Nights in Alder County
authors: [Tamsin Okafor, Luis Vera]
year: 2021
publisher: Alder County Schools
url: https://example.org/reading-nights
doi: 10.5555/alder.2021.7
---
# Reading Nights

Nine schools open on one evening a month. See [the costs](https://example.org/costs).

## Costs

| Item | Price |
|---|---|
| Books for a family | $38 a year |
| Supper | $4 a head |

- Fathers come after work.
- They read aloud.
"""
HTML = """<!doctype html><html lang="en"><head><title>Walk to School</title>
<meta name="author" content="Noor Haddad">
<meta property="og:site_name" content="Fen Valley Herald">
<meta name="citation_publication_date" content="2022/03/04">
</head><body><nav><a href="/">Home</a></nav><article><h1>Walk to School</h1>
<p>Every Friday two hundred fathers walk
their children to Fen Valley Primary, and the road is closed to cars for half an hour.</p><p>The council pays
&pound;1,900 a year for the stewards who close the road and for the tea that follows.</p>
</article></body></html>"""


def test_markdown_brings_its_facts_and_all_of_its_text(context: Context) -> None:
    found = add_and_read(context, MARKDOWN)
    row = document_of(context, found)
    assert (row.status, row.title, row.authors, row.year) == (
        "ready",
        "Reading Nights in Alder County",
        ["Tamsin Okafor", "Luis Vera"],
        2021,
    )
    assert (row.publisher, row.url, row.doi) == (
        "Alder County Schools",
        "https://example.org/reading-nights",
        "10.5555/alder.2021.7",
    )
    text = text_of(context, found)
    assert "the costs (https://example.org/costs)" in text
    assert "Books for a family: $38 a year\nSupper: $4 a head\n" in text
    assert "title:" not in text and "|" not in text
    passages = passages_of(context, found)
    assert [p.start_char for p in passages] == [0, *(p.end_char for p in passages[:-1])]
    assert passages[-1].end_char == len(text) == row.char_count


def test_what_the_person_gives_comes_before_what_the_file_says(context: Context) -> None:
    row = document_of(context, add_and_read(context, MARKDOWN, kind="book", publisher="Fern Press"))
    assert (row.kind, row.publisher, row.title) == ("book", "Fern Press", "Reading Nights in Alder County")


def test_html_leaves_out_its_menus(context: Context) -> None:
    found = add_and_read(context, HTML, "walk.html")
    row = document_of(context, found)
    assert (row.title, row.authors, row.publisher, row.year) == (
        "Walk to School",
        ["Noor Haddad"],
        "Fen Valley Herald",
        2022,
    )
    assert "£1,900 a year" in text_of(context, found) and "Home" not in text_of(context, found)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_plain_text_of_any_encoding(context: Context, encoding: str) -> None:
    text = (
        "Los padres leen\n\nEl niño y su padre leen juntos cada mañana en la biblioteca de la escuela,\n"
        "y después hablan de lo que leyeron. Según la maestra, así aprenden los dos: él a escuchar,\n"
        "y ella a preguntar.\n"
    )
    found = add_and_read(context, text.encode(encoding), "nota.txt")
    row = document_of(context, found)
    assert (row.language, row.title) == ("es", "Los padres leen")
    assert "cada mañana en la biblioteca de la escuela, y después hablan" in text_of(context, found)


def test_the_first_line_of_plain_text_is_its_title_and_its_publisher_is_named(context: Context) -> None:
    lines = (
        'Radio Fen, transcript of "Morning Round", 9 March 2024',
        "Published by Radio Fen. A sample, written for tests.",
    )
    found = add_and_read(
        context, "\n".join((*lines, "", "HOST: Good morning to all fathers.")).encode(), "radio.txt"
    )
    row = document_of(context, found)
    assert (row.title, row.publisher) == (lines[0], "Radio Fen")


def test_word_with_headings_and_a_table(context: Context) -> None:
    made = docx.Document()
    made.core_properties.title, made.core_properties.author = "Shop Class Saturdays", "Ines Duarte; Paul Ober"
    made.add_heading("Shop Class Saturdays", 1)
    made.add_paragraph("Fathers and daughters build birdhouses on nine Saturdays.")
    table = made.add_table(1, 2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Fee", "$15 a family"
    out = io.BytesIO()
    made.save(out)
    found = add_and_read(context, out.getvalue(), "shop.docx")
    row = document_of(context, found)
    assert (row.title, row.authors) == ("Shop Class Saturdays", ["Ines Duarte", "Paul Ober"])
    assert text_of(context, found).endswith("nine Saturdays.\n\nFee: $15 a family")


def columns_pdf() -> bytes:
    left = "Fathers who come to the workshop on two evenings a week learn to read with their children. " * 6
    right = "Costs were counted for each family that finished, and came to ninety dollars with the meals. " * 6
    with pymupdf.open() as document:
        for number in range(1, 5):
            page = document.new_page(width=612, height=792)
            page.insert_text((72, 40), f"Journal of Invented Studies, page {number}", fontsize=8)
            page.insert_text((72, 90), f"Part {number} of the study of evenings with fathers", fontsize=17)
            page.insert_textbox(pymupdf.Rect(72, 120, 295, 700), left, fontsize=10)
            page.insert_textbox(pymupdf.Rect(317, 120, 540, 700), right, fontsize=10)
        document.set_metadata({"title": "Evenings", "author": "Ada Lind"})
        return bytes(document.tobytes())


def test_a_pdf_in_columns_is_read_column_by_column(context: Context) -> None:
    found = add_and_read(context, columns_pdf(), "evenings.pdf", "academic")
    row = document_of(context, found)
    assert (row.status, row.title, row.page_count, row.pages_done) == ("ready", "Evenings", 4, 4)
    text = text_of(context, found)
    assert "Fathers who come to the workshop on two evenings a week learn to read with their children" in text
    assert "Costs were counted for each family that finished, and came to ninety dollars" in text
    assert "Journal of Invented Studies" not in text
    assert {passage.page_no for passage in passages_of(context, found)} == {1, 2, 3, 4}
    assert passages_of(context, found)[0].heading == "Part 1 of the study of evenings with fathers"


def test_a_line_at_the_top_of_the_second_column_comes_last(context: Context) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_textbox(
            pymupdf.Rect(60, 60, 296, 740), "All of them came to read in the yard. " * 45, fontsize=10
        )
        page.insert_text((316, 70), "So it ended.", fontsize=10)
        page.insert_text((300, 770), "1", fontsize=9)
        data = bytes(document.tobytes())
    text = text_of(context, add_and_read(context, data, "column.pdf"))
    assert text.startswith("All of them came") and text.endswith("So it ended.")


def locked_pdf() -> bytes:
    with pymupdf.open() as document:
        document.new_page()
        return bytes(document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="a", user_pw="b"))


def long_pdf() -> bytes:
    with pymupdf.open() as document:
        for _ in range(1001):
            document.new_page(width=100, height=100)
        return bytes(document.tobytes())


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"\0" * (201 * 1024 * 1024))
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "empty.txt", "empty_document"),
        (b" \n\n ", "blank.txt", "empty_document"),
        (b"# \n", "heading.md", "no_text_in_document"),
        (b"\x7fELF" + bytes(range(256)) * 40, "report.pdf", "not_a_library_document"),
        (b"\x89PNG\r\n\x1a\n" + bytes(2000), "photo.png", "not_a_library_document"),
        (b"%PDF-1.7 and nothing more", "cut.pdf", "damaged_document"),
        (b"PK\x03\x04 word/ cut", "cut.docx", "damaged_document"),
        (locked_pdf, "locked.pdf", "encrypted_document"),
        (long_pdf, "long.pdf", "too_many_pages"),
        (bomb, "bomb.docx", "unpacks_too_large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_fails_with_a_sentence(context: Context, data: object, name: str, code: str) -> None:
    raw = data() if callable(data) else data
    row = document_of(context, add_and_read(context, raw, name))
    assert (row.status, row.error_code) == ("failed", code)
    assert say(Message(row.error_code or "", row.error_params)).endswith(".")
    assert context.store.get(row.storage_key) == raw


def test_reading_twice_changes_nothing(context: Context) -> None:
    found = add_and_read(context, MARKDOWN)
    before = text_of(context, found)
    assert read_library_document(context, found) is False
    assert text_of(context, found) == before


def test_the_same_bytes_are_one_document(context: Context) -> None:
    shelf = GivenMetadata(LibraryKind.WEB)
    first = add_document(context, None, IncomingFile("a.md", MARKDOWN.encode()), shelf, queue=False)
    again = add_document(context, None, IncomingFile("b.md", MARKDOWN.encode()), shelf, queue=False)
    assert first.is_new and not again.is_new and again.document_id == first.document_id
