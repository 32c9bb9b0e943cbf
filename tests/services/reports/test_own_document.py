"""Passages taken from a report into a document of one's own: in order, with notes, exported with references."""

from __future__ import annotations

import uuid
from io import BytesIO

import pytest
from docx import Document
from sqlalchemy import delete

from core.errors import InvalidInputError, NotFoundError
from core.models import Report, ReportSource
from research.exports.formats import export_document
from services.context import Context
from services.reports.files import (
    LONGEST_NOTE,
    as_report,
    drop_passage,
    move_passage,
    own_document,
    take_passage,
    write_note,
)
from tests.support.office import make_person
from tests.support.research.reports import OTHER_QUOTE, QUOTE, make_finished_report


@pytest.fixture
def officer(context: Context) -> uuid.UUID:
    return make_person(context, "officer")


@pytest.fixture
def report_id(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return make_finished_report(session).id


def order(context: Context, report_id: uuid.UUID, person: uuid.UUID) -> list[str]:
    return [one.claim_id for one in own_document(context, report_id, person).passages]


@pytest.fixture
def taken(context: Context, report_id: uuid.UUID, officer: uuid.UUID) -> uuid.UUID:
    for claim in ("c1", "c2", "c3", "c1"):
        take_passage(context, report_id, officer, claim)
    return report_id


def test_passages_stand_in_the_order_in_which_they_were_taken_each_once(
    context: Context, officer: uuid.UUID, taken: uuid.UUID
) -> None:
    assert order(context, taken, officer) == ["c1", "c2", "c3"]
    assert [one.quote for one in own_document(context, taken, officer).passages][:2] == [QUOTE, OTHER_QUOTE]
    drop_passage(context, taken, officer, "c2")
    drop_passage(context, taken, officer, "c2")
    assert order(context, taken, officer) == ["c1", "c3"]


@pytest.mark.parametrize(
    ("claim", "by", "after"),
    [("c3", -1, ["c1", "c3", "c2"]), ("c1", 1, ["c2", "c1", "c3"]), ("c1", -1, ["c1", "c2", "c3"])],
)
def test_they_are_moved(
    context: Context, officer: uuid.UUID, taken: uuid.UUID, claim: str, by: int, after: list[str]
) -> None:
    move_passage(context, taken, officer, claim, by)
    assert order(context, taken, officer) == after


def test_everybody_has_a_document_of_their_own(context: Context, officer: uuid.UUID, taken: uuid.UUID) -> None:
    other = make_person(context, "reviewer")
    assert own_document(context, taken, other).passages == ()
    with pytest.raises(NotFoundError):
        write_note(context, taken, other, "c1", "Mine.")


def test_only_what_stands_in_the_report_is_taken(
    context: Context, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    for claim in ("c4", "none"):
        with pytest.raises(NotFoundError):
            take_passage(context, report_id, officer, claim)
    with pytest.raises(NotFoundError):
        own_document(context, uuid.uuid4(), officer)


def test_a_note_has_a_bound(context: Context, officer: uuid.UUID, taken: uuid.UUID) -> None:
    with pytest.raises(InvalidInputError):
        write_note(context, taken, officer, "c1", "x" * (LONGEST_NOTE + 1))


def test_the_file_has_notes_quotations_and_references(
    context: Context, officer: uuid.UUID, taken: uuid.UUID
) -> None:
    write_note(context, taken, officer, "c1", "For the *board*.\r\n\r\nAsk [1] again.")
    move_passage(context, taken, officer, "c2", 1)
    document = as_report(own_document(context, taken, officer))
    text = export_document(document, "markdown").decode()
    assert (
        text.index("For the \\*board\\*.") < text.index(f"> “{QUOTE}” [1]") < text.index(f"> “{OTHER_QUOTE}” [2]")
    )
    assert text.count("## Breakfast with fathers") == 1, "what follows from one source stands under one heading"
    assert "[1] Ada Okafor" in text and "Reading evenings" in text
    words = "\n".join(one.text for one in Document(BytesIO(export_document(document, "docx"))).paragraphs)
    assert QUOTE in words and "Ask (1) again." in words.replace("[1]", "(1)")


def test_it_goes_with_the_report(context: Context, officer: uuid.UUID, taken: uuid.UUID) -> None:
    with context.database.session() as session:
        session.execute(delete(ReportSource).where(ReportSource.report_id == taken))
        session.execute(delete(Report).where(Report.id == taken))
    with pytest.raises(NotFoundError):
        own_document(context, taken, officer)
