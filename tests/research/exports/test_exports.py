from __future__ import annotations

import json
import time
from io import BytesIO

import pytest
from docx import Document as open_docx
from hypothesis import given, settings
from hypothesis import strategies as st
from pybtex.database import parse_string

from core.confined.mupdf import pymupdf
from core.errors import InvalidInputError
from lab.bench.research.keyed.marks import problems
from research.document import Reference, ReportDocument, Section
from research.exports.formats import EXPORT_FORMATS, export_document, filename_of, to_html_body
from research.exports.markdown import from_markdown, to_markdown
from research.text.markdown import as_markdown, markdown_blocks

EVIL = '<script>alert("x")</script> [7] | `code` *b* \\ & {x} $5 100% #1 [@ghost#c1] <img src=x onerror=y>'


def document(**more) -> ReportDocument:
    told = {
        "title": "¿Qué acerca a los padres?",
        "sections": (
            Section(
                key="one",
                heading="One",
                body="First.[@lee2021#c1] Then [@ortiz2019#c2] [@ghost2000#c9] again [@lee2021]",
            ),
            Section(key="two", heading="Two", level=2, body="| A | B |\n| --- | --- |\n| x [@diaz2020] | y |"),
        ),
        "references": (
            Reference(
                key="ortiz2019",
                title="Niños y años",
                authors=("María Ortiz",),
                year=2019,
                url="https://a.example/",
            ),
            Reference(key="lee2021", kind="book", title="Mornings", authors=("Lee, Ann",), isbn="9780000000002"),
            Reference(key="diaz2020", kind="academic", title="Study", doi="10.1234/x.5", publisher="Journal"),
            Reference(key="unused1990", title="Never cited"),
        ),
        "limits": ("Nothing on costs.",),
    }
    return ReportDocument(**told | more)


@pytest.mark.parametrize("name", ["markdown", "html", "docx", "pdf"])
def test_a_file_says_what_was_asked_and_of_which_day_it_is(name: str) -> None:
    asked = document(query="What brings fathers, and what does it cost?", written_on="2026-11-29")
    text = " ".join(text_of(name, export_document(asked, name)).split())
    assert "Question: What brings fathers, and what does it cost?" in text and "Version of 2026-11-29" in text


def test_what_was_asked_is_no_part_of_a_report_that_is_read_back() -> None:
    asked = document(query="What brings fathers, and what does it cost?", written_on="2026-11-29")
    bodies = [section.body for section in from_markdown(to_markdown(asked)).sections]
    assert not any("Question" in body or "2026-11-29" in body for body in bodies)


def text_of(name: str, data: bytes) -> str:
    if name == "docx":
        file = open_docx(BytesIO(data))
        cells = [cell.text for table in file.tables for row in table.rows for cell in row.cells]
        return "\n".join([*(p.text for p in file.paragraphs), *cells])
    if name == "pdf":
        with pymupdf.open(stream=data, filetype="pdf") as pages:
            return "\n".join(page.get_text() for page in pages)
    return data.decode()


def test_numbers_are_the_same_everywhere() -> None:
    assert problems(document()) == []


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_what_is_not_cited_is_not_listed(name: str) -> None:
    text = text_of(name, export_document(document(), name))
    assert "ghost2000" not in text or name == "json"
    assert "Never cited" not in text or name == "json"
    assert filename_of(document().title, name).startswith("que-acerca-a-los-padres.")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        export_document(document(), "odt")


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_hostile_text_is_text(name: str) -> None:
    hostile = document(
        title=EVIL,
        sections=(
            Section(
                key="s", heading=EVIL, body=f"Quote “{as_markdown(EVIL)}” [@ortiz2019]\n\n{EVIL} [@ortiz2019]"
            ),
            Section(key="t", heading="T", body=f"| A |\n| --- |\n| {as_markdown(EVIL)} [@ortiz2019] |"),
        ),
        references=(
            Reference(key="ortiz2019", title=EVIL, authors=(EVIL,), publisher=EVIL, url="javascript:alert(1)"),
        ),
        limits=(EVIL,),
    )
    assert problems(hostile) == []
    text = text_of(name, export_document(hostile, name))
    if name == "html":
        assert "<script" not in text and "<img" not in text
    if name == "markdown":
        assert "<script" not in text.replace("\\<", "")
    if name not in {"json", "docx", "pdf"}:
        assert "javascript:" not in text
    assert not {"/", "<"} & set(filename_of(EVIL, name))


@pytest.mark.parametrize("name", EXPORT_FORMATS)
@pytest.mark.parametrize("odd", ["\x0b", "\x1f", "\ufffe", "\u202e", "_x0041_", "=cmd|' /C calc'!A0", "W" * 3000])
def test_odd_characters_end_no_export(name: str, odd: str) -> None:
    text = f"a{odd}b"
    made = document(
        title=text,
        sections=(Section(key="s", heading=text, body=f"{text} [@ortiz2019]\n\n| {text} |\n| --- |\n| {text} |"),),
        references=(Reference(key="ortiz2019", title=text, authors=(text,), publisher=text),),
        limits=(text,),
    )
    assert text_of(name, export_document(made, name)) and filename_of(text, name).isascii()


def test_only_web_addresses_become_links() -> None:
    body = "[a](javascript:alert(1)) [b](https://b.example/) [c](data:text/html,x) ![p](https://p.example/x.png)"
    found = to_html_body(document(sections=(Section(key="s", heading="S", body=body),)))
    assert found.count("<a ") == 2 and 'href="https://b.example/"' in found and "<img" not in found


def test_citations_lead_to_their_entry() -> None:
    found = to_html_body(document())
    assert '<a class="cite" href="#ref-1" data-key="lee2021" data-claim="c1">[1]</a>' in found
    assert '<li id="ref-2" data-key="ortiz2019">' in found
    assert "style=" not in found and "<script" not in found


TWICE = "Said. [@lee2021#c1] [@ortiz2019#c2] [@lee2021#c3] And again. [@lee2021#c4]"


def test_a_source_that_is_quoted_twice_for_a_sentence_has_one_number() -> None:
    twice = document(sections=(Section(key="s", heading="S", body=TWICE),))
    assert problems(twice) == []
    assert "Said. [1] [2] And again. [1]" in to_markdown(twice)
    assert to_markdown(twice, keyed=True).count("[@lee2021#c") == 3
    found = to_html_body(twice)
    assert 'data-claim="c1 c3">[1]</a>' in found and 'data-claim="c4">[1]</a>' in found


def test_a_claim_of_two_sentences_keeps_what_stands_beside_it() -> None:
    body = "Said. [@lee2021#c1] [@lee2021#c2]\n\nAgain. [@lee2021#c1] [@lee2021#c3]"
    found = to_html_body(document(sections=(Section(key="s", heading="S", body=body),)))
    assert found.count('data-claim="c1 c2 c3">[1]</a>') == 2


def test_pages_are_numbered_and_links_kept() -> None:
    long = tuple(Section(key=f"s{n}", heading=f"S{n}", body="Word. " * 400 + "[@ortiz2019]") for n in range(4))
    data = export_document(document(sections=long, language="es"), "pdf")
    with pymupdf.open(stream=data, filetype="pdf") as pages:
        assert len(pages) > 2
        assert f"Página 2 de {len(pages)}" in pages[1].get_text()
        assert any(link.get("uri") == "https://a.example/" for link in pages[-1].get_links())


def test_word_has_headings_a_table_and_links() -> None:
    file = open_docx(BytesIO(export_document(document(), "docx")))
    assert [p.text for p in file.paragraphs if p.style.name == "Heading 2"] == ["Two"]
    assert file.tables[0].cell(1, 0).text == "x [3]"
    targets = {r.target_ref for r in file.part.rels.values() if r.is_external}
    assert "https://doi.org/10.1234/x.5" in targets


def test_word_has_what_the_text_has() -> None:
    items = "- one [@lee2021]\n\n  and more\n- two\n  1. deep"
    body = f"A **b** [c](https://c.example/) `d`\n\n{items}\n\n> said\n\n```\nx\ny\n```"
    file = open_docx(
        BytesIO(export_document(document(sections=(Section(key="s", heading="S", body=body),)), "docx"))
    )
    written = [(p.style.name, p.text) for p in file.paragraphs]
    assert written[2:9] == [
        ("Normal", "A b c d"),
        ("List Bullet", "one [1]"),
        ("List Bullet", "and more"),
        ("List Bullet", "two"),
        ("List Number", "deep"),
        ("Quote", "said"),
        ("Normal", "x\ny\n"),
    ]
    assert [run.text for run in file.paragraphs[2].runs if run.bold] == ["b"]


def test_a_long_table_is_written_for_word_in_time() -> None:
    rows = "".join(f"| a{n} | b{n} | c{n} [@lee2021] |\n" for n in range(200))
    long = document(sections=(Section(key="s", heading="S", body=f"| A | B | C |\n| - | - | - |\n{rows}"),))
    begun = time.process_time()
    file = open_docx(BytesIO(export_document(long, "docx")))
    assert time.process_time() - begun < 4
    assert [cell.text for cell in file.tables[0].rows[200].cells] == ["a199", "b199", "c199 [1]"]


def test_bibliographies_can_be_read_again() -> None:
    entries = parse_string(export_document(document(), "bibtex").decode(), "bibtex").entries
    assert list(entries) == ["lee2021", "ortiz2019", "diaz2020"]
    assert str(entries["ortiz2019"].persons["author"][0]) == "Ortiz, María"
    csl = json.loads(export_document(document(), "csl"))
    assert csl[1]["author"] == [{"given": "María", "family": "Ortiz"}] and csl[1]["title"] == "Niños y años"


def test_essays_keep_initials_and_grade_together() -> None:
    essay = Reference(key="essay1", kind="essay", title="Essay", authors=("M. R., grade 4",))
    shown = document(sections=(Section(key="s", heading="S", body="x [@essay1]"),), references=(essay,))
    assert json.loads(export_document(shown, "csl"))[0]["author"] == [{"literal": "M. R., grade 4"}]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab*_`[]<>|#-+=\\&;.!~1) \n@^$"), min_size=1, max_size=40))
def test_escaped_text_reads_as_it_is(text: str) -> None:
    folded = " ".join(text.split())
    tokens = markdown_blocks(f"x {as_markdown(folded)} x")
    read = "".join(child.content for token in tokens for child in token.children or ())
    assert read == f"x {folded} x"
