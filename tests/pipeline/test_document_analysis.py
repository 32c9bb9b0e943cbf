import pytest

from core.config import Settings
from pipeline.pages.page_model import PageContent, Source
from pipeline.schema import DocClass, DocFormat, Structure
from pipeline.splitting.document_analysis import DocumentAnalysis, analyse_document
from tests.support.reading.paper import FORM_2026, HEADER, RULES, Set, essay, page

SETTINGS = Settings(_env_file=None)


def analysed(*pages: PageContent) -> DocumentAnalysis:
    return analyse_document(list(pages), SETTINGS)


def spans(analysis: DocumentAnalysis) -> list[tuple[int, int]]:
    return [(chunk.page_start, chunk.page_end) for chunk in analysis.chunks]


def named(name: str) -> list[Set]:
    return [(203, 116, name), *HEADER[1:]]


def scan(number: int, texts: list[Set]) -> PageContent:
    return page(number, texts, source=Source.OCR, confidence=0.95)


def form(number: int, name: str = "Marisol Vega") -> PageContent:
    return scan(number, [*FORM_2026, *named(name), *essay()])


def test_an_official_form_of_two_pages_is_one_entry() -> None:
    analysis = analysed(page(1, [*FORM_2026, *HEADER, *essay()]), page(2, RULES))
    assert spans(analysis) == [(1, 2)]
    assert analysis.doc_class is DocClass.MULTI_PAGE_SINGLE
    assert (analysis.format, analysis.structure) == (DocFormat.NATIVE_TEXT, Structure.SINGLE)
    assert [role.value for role in analysis.chunks[0].roles] == ["header", "instructions"]
    assert analysis.chunks[0].profile == "ifi_2026"


def test_a_blank_form_is_one_entry_of_nothing() -> None:
    analysis = analysed(page(1, FORM_2026), page(2, RULES))
    assert spans(analysis) == [(1, 2)]
    assert analysis.structure is Structure.TEMPLATE


def test_a_stack_of_one_page_entries_falls_apart() -> None:
    analysis = analysed(form(1), form(2, "Daniel Ortiz"), form(3, "Lucia Marsh"))
    assert spans(analysis) == [(1, 1), (2, 2), (3, 3)]
    assert analysis.doc_class is DocClass.BULK_SCANNED_BATCH
    assert {chunk.doc_class for chunk in analysis.chunks} == {DocClass.SINGLE_SCANNED}


def test_blank_sheets_belong_to_nobody() -> None:
    analysis = analysed(form(1), page(2, ink=0.0), form(3, "Daniel Ortiz"), page(4, ink=0.0))
    assert spans(analysis) == [(1, 1), (3, 3)]
    assert analysed(page(1, ink=0.0)).chunks == []


def test_header_sheets_take_the_essay_that_follows() -> None:
    first = scan(1, [*FORM_2026, *named("Marisol Vega")])
    second = scan(3, [*FORM_2026, *named("Daniel Ortiz")])
    analysis = analysed(first, scan(2, essay(60, 20)), second, scan(4, essay(60, 20)))
    assert spans(analysis) == [(1, 2), (3, 4)]


def test_typed_pages_with_a_running_head_stay_together() -> None:
    first: list[Set] = [(72, 60, "Marisol Vega"), (72, 75, "Juniper School"), (72, 90, "Grade 4")]
    analysis = analysed(page(1, [*first, *essay(120, 30)]), page(2, [(500, 40, "Vega 2"), *essay(70, 20)]))
    assert spans(analysis) == [(1, 2)]


def test_typed_essays_of_two_pupils_fall_apart() -> None:
    def head(name: str) -> list[Set]:
        return [(72, 60, name), (72, 75, "Juniper School"), (72, 90, "Grade 4")]

    analysis = analysed(
        page(1, [*head("Marisol Vega"), *essay(120)]), page(2, [*head("Daniel Ortiz"), *essay(120)])
    )
    assert spans(analysis) == [(1, 1), (2, 2)]


def test_a_reflowed_forms_later_pages_are_no_new_entries() -> None:
    moved: list[Set] = [
        (72, 54, "2026 IFI Fatherhood Essay Contest", 20),
        (30, 164, "Student’s Name / Nombre del Estudiante Marisol Vega"),
        (72, 228, "Email e.vega@example.org Phone / Teléfono 312-555-0134"),
        (36, 248, '"What my father or an important father-figure* means to me"'),
        *essay(290, 20),
    ]
    rest: list[Set] = [
        *essay(60, 3),
        (36, 300, "Father/Grandfather/Step-Dad/Father-Figure reaction to this essay:"),
        (36, 330, "Grandfather / Abuelo"),
        (36, 350, "Father-Figure / Figura Paterna"),
    ]
    assert spans(analysed(page(1, moved), page(2, rest), page(3, RULES[:6]), page(4, RULES[6:]))) == [(1, 4)]


@pytest.mark.parametrize("heading", [True, False])
def test_rules_in_other_words_are_still_rules(heading: bool) -> None:
    paraphrased: list[Set] = [
        (33, 100, "Every student writes one essay about the theme of the contest."),
        (33, 115, "Volunteers read every submission with these criteria and select semi-finalists."),
        (33, 130, "Entries become property of the contest, which may reproduce the response in publications."),
        (
            33,
            145,
            "Completed forms are uploaded or mailed before the deadline; contest entrants receive a certificate.",
        ),
    ]
    texts = [(33.0, 60.0, "RULES"), *paraphrased] if heading else paraphrased
    analysis = analysed(page(1, [*FORM_2026, *HEADER, *essay()]), page(2, texts))
    assert [role.value for role in analysis.chunks[0].roles] == ["header", "instructions"]


def test_a_person_may_say_that_it_is_one_entry() -> None:
    analysis = analyse_document([form(1), form(2, "Daniel Ortiz")], SETTINGS, one_entry=True)
    assert spans(analysis) == [(1, 2)]


def test_a_person_may_say_how_many_pages_each_entry_has() -> None:
    pages = [form(1), form(2, "Daniel Ortiz"), form(3)]
    analysis = analyse_document(pages, SETTINGS, page_counts=[2, 1])
    assert spans(analysis) == [(1, 2), (3, 3)]
    assert [chunk.profile for chunk in analysis.chunks] == [analysis.chunks[0].profile] * 2
