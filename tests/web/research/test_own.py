"""A reading list on its page, and the document that a person makes of it."""

from __future__ import annotations

import uuid

import pytest
from flask.testing import FlaskClient

from core.models import ReportVersion
from lab.bench.statements import listed as listed_statements
from research.document import ReportDocument, Section
from services.context import Context
from tests.support.research.reports import OTHER_QUOTE, QUOTE, make_files

TAKE = "Take into my document"


@pytest.fixture
def listed(context: Context, finished: uuid.UUID) -> uuid.UUID:
    """A reading list: its passages are quotations."""
    with context.database.session() as session:
        row = session.get_one(ReportVersion, (finished, 2))
        document = ReportDocument.model_validate(row.document)
        body = f"> “{QUOTE}” [@okafor2019#c1]\n\n> “{OTHER_QUOTE}” [@marlow2021#c2]"
        sections = (Section(key="findings", heading="What do they do?", body=body),)
        row.document = document.model_copy(update={"sections": sections, "extractive": True}).model_dump(
            mode="json"
        )
    return finished


def test_each_passage_of_a_list_can_be_taken_and_put_back(signed_in, context: Context, listed: uuid.UUID) -> None:
    desk = signed_in("officer")
    page = desk.get(f"/research/{listed}").text
    assert "A reading list." in page and page.count(TAKE) == 2 and "Your document: 0 passages" in page
    answer = desk.post(f"/research/{listed}/own/c1/take")
    assert answer.status_code == 302 and answer.location.endswith(f"/research/{listed}#passage-c1")
    with listed_statements(context.database.engine) as statements:
        page = desk.get(f"/research/{listed}").text
    assert page.count(TAKE) == 1 and "In your document – remove" in page and "Your document: 1 passage" in page
    assert len(statements) <= 12, "one of them only where another test has loaded forms"
    assert signed_in("auditor").get(f"/research/{listed}").text.count(TAKE) == 2, "each person has their own"
    assert desk.post(f"/research/{listed}/own/c1/drop", data={"from": "report"}).location.endswith("#passage-c1")
    assert desk.get(f"/research/{listed}").text.count(TAKE) == 2


def file_of(desk: FlaskClient, address: str) -> bytes:
    with desk.get(address) as answer:
        assert answer.status_code == 200 and "attachment" in answer.headers["Content-Disposition"]
        return answer.data


def exported(desk: FlaskClient, context: Context, report_id: uuid.UUID, name: str) -> bytes:
    """The file of the person's document: a job makes it."""
    address = f"/research/{report_id}/export/{name}?own=yes"
    asked = desk.get(address)
    assert asked.status_code == 202 and "The file is being prepared" in asked.text
    make_files(context)
    assert "Download the file" in desk.get(address.replace("?", "/progress?")).text
    return file_of(desk, address)


def test_the_document_is_ordered_noted_and_exported(signed_in, context: Context, listed: uuid.UUID) -> None:
    desk = signed_in("officer")
    assert "Nothing taken yet." in desk.get(f"/research/{listed}/own").text
    for claim in ("c1", "c2"):
        desk.post(f"/research/{listed}/own/{claim}/take")
    notes = {"note-c2": "<b>First</b> of all", "note-c1": "Kept"}
    desk.post(f"/research/{listed}/own/c2/note", data={**notes, "move": "up"})
    page = desk.get(f"/research/{listed}/own").text
    assert page.index('id="passage-c2"') < page.index('id="passage-c1"')
    assert "&lt;b&gt;First&lt;/b&gt; of all" in page and "<b>First" not in page
    assert "Kept</textarea>" in page, "all notes are saved, whichever button is pressed"
    assert f'/research/{listed}/export/docx?own=yes"' in page
    text = exported(desk, context, listed, "markdown")
    assert text.index(b"First") < text.index(OTHER_QUOTE.encode()) < text.index(QUOTE.encode())
    assert exported(desk, context, listed, "docx").startswith(b"PK")
    desk.post(f"/research/{listed}/own/c2/note", data={"note-c2": "Second thoughts"})
    assert b"Second thoughts" in exported(desk, context, listed, "markdown"), "what has changed is made anew"
    assert b"Second thoughts" in file_of(desk, f"/research/{listed}/export/markdown?own=yes")


def test_a_file_of_a_document_is_its_persons_and_is_stopped(
    signed_in, context: Context, listed: uuid.UUID
) -> None:
    desk, other = signed_in("officer"), signed_in("auditor")
    desk.post(f"/research/{listed}/own/c1/take")
    assert QUOTE.encode() in exported(desk, context, listed, "markdown")
    assert QUOTE.encode() not in exported(other, context, listed, "markdown")
    address = f"/research/{listed}/export/html"
    desk.get(f"{address}?own=yes")
    stopped = desk.post(f"{address}/remove?own=yes")
    assert stopped.status_code == 302 and stopped.location.endswith("/own")
    assert QUOTE.encode() in file_of(desk, f"/research/{listed}/export/markdown?own=yes")


def test_what_is_not_in_the_report_is_not_taken(signed_in, listed: uuid.UUID) -> None:
    assert signed_in("officer").post(f"/research/{listed}/own/c4/take").status_code == 404


def test_a_report_that_was_written_has_no_passages_to_take(signed_in, finished: uuid.UUID) -> None:
    assert TAKE not in signed_in("officer").get(f"/research/{finished}").text


def test_without_a_model_the_form_says_that_one_will_get_a_list_and_what_a_model_would_cost(signed_in) -> None:
    page = signed_in("officer").get("/research/new?query=List+7+reading+programmes").text
    assert "You will get a reading list" in page and "60,000 tokens" in page and "$0.06" in page
    assert "This will be a catalog" not in page and 'name="fields"' not in page
    before, folded = page.split("More choices")
    assert before.count("<fieldset") == 1, "the question and three choices"
    assert 'name="kind"' in folded and 'name="kind"' not in before


def test_without_a_model_nothing_is_deepened_and_the_page_says_why(signed_in, finished: uuid.UUID) -> None:
    desk = signed_in("officer")
    page = desk.get(f"/research/{finished}/supervision").text
    assert "Supervision needs a language model" in page and ">Start<" not in page
    refused = desk.post(f"/research/{finished}/supervision", data={"tier": "quick", "mode": "automatic"})
    assert refused.status_code == 409 and "Supervision needs a language model" in refused.text


@pytest.mark.usefixtures("with_model")
def test_with_a_model_the_form_says_what_each_level_may_cost(signed_in) -> None:
    page = signed_in("officer").get("/research/new").text
    assert (
        "You will get a report" in page
        and "Up to 15 searches" in page
        and "About 25 model calls and 6 minutes" in page
    )
