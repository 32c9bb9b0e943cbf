from __future__ import annotations

import pytest

from research.citations import claims_something, uncited_claims
from research.document import Reference, ReportDocument, Section
from research.text import detect_language


def document(body: str) -> ReportDocument:
    references = (Reference(key="ortiz", title="Herons", year=2019), Reference(key="lee", title="Maize"))
    return ReportDocument(
        title="Visits", sections=(Section(key="a", heading="In 2020", body=body),), references=references
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Attendance rose by 12 %.",
        "Some forty schools joined.",
        "Participaron treinta y cinco padres.",
        "The visits began in March.",
        "Las visitas empezaron en marzo.",
        "The valley of Huasco is dry.",
        "Ortiz said so.",
        "María Pérez lo dijo.",
        "UNESCO agreed.",
        "Dr. Gil came.",
        "Chile pagó todo.",
        "UNESCO.",
    ],
)
def test_numbers_dates_and_names_claim_something(sentence: str) -> None:
    assert claims_something(sentence, detect_language(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "Fathers read at home.",
        "Los padres leen en casa.",
        "It was clear: Most of them came.",
        "“The school” was closed.",
        "I think so, and one of them too.",
        "Did 40 schools join?",
        "There are two kinds: (a) and (2).".replace("two ", ""),
        "¿Quién vino?",
        "RESULTADOS",
        "IMPORTANT:",
        "Docentes y familias participan.",
        "Fathers' visits helped.",
        "Once the visits ended, fewer came.",
    ],
)
def test_others_do_not(sentence: str) -> None:
    assert not claims_something(sentence, detect_language(sentence))


def test_markers_in_or_right_behind_a_sentence_cover_it() -> None:
    body = "It cost 40 [@ortiz#c1] dollars. It grew by 5 %. [@lee] It fell by 6 %.[@lee]\nIt shrank by 7 %."
    assert uncited_claims(document(body)) == ["It shrank by 7 %."]


def test_a_mark_behind_a_marker_begins_no_sentence() -> None:
    body = "“It cost 40 dollars a week.” [@ortiz]; Lee & Sons, by its sheet: it cost 50 dollars. [@lee]"
    assert uncited_claims(document(body)) == []


def test_headings_rows_and_items() -> None:
    body = (
        "## In 2019\n\n- Costs: $40 [@ortiz]\n- Costs: $50\n\n"
        "| Name | Cost 2019 |\n| --- | --- |\n| Night Bus | $60 [@lee] |\n| Day Bus | $70 |\n\n```\n12\n```\n"
    )
    assert uncited_claims(document(body)) == ["Costs: $50", "Day Bus", "$70"]


def test_a_quotation_of_several_sentences_has_one_marker() -> None:
    assert uncited_claims(document("“We came in 2018. We left in 2019.” [@ortiz]")) == []
    assert uncited_claims(document("> We came in 2018. We left in 2019.\n> [@ortiz]")) == []


def test_small_numbers_in_words_may_be_left_out() -> None:
    report = document("There are three kinds. They reach forty schools.")
    assert uncited_claims(report, above=12) == ["They reach forty schools."]
