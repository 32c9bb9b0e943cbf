"""Documents that copy an erased child: their headings, and what other entries have too, such as the question."""

from __future__ import annotations

import uuid

import numpy as np
import pytest
from sqlalchemy import select

from core.llm.embeddings import stored_dimensions
from core.models import ErasureReason, LibraryDocument, LibraryPassage, ReportVersion
from pipeline.profiles import PrintedRole, form_profiles
from research.text.stored_meaning import VectorStore, content_of
from services.context import Context
from services.erasure.erase import erase_submissions
from services.erasure.held_export import find_held
from services.erasure.scope import HeldKind
from services.library.copies import LEAST, WordRuns
from services.supervision.documents import original_key, upload_document
from tests.support.erasure import child
from tests.support.erasure.library import added
from tests.support.office import make_person
from tests.support.research.meaning import vectors_of_texts

PROMPT = (
    "In two hundred and fifty words or fewer tell us how your father or a father figure has made a difference in"
    " your life. Who is he to you?"
)
RULES = f"# Rules\n\nEvery entry answers this question: {PROMPT}\n\nEntries close in May."


@pytest.fixture
def officer(context: Context) -> uuid.UUID:
    return make_person(context, "officer")


def hand_in(context: Context, own: str, other: str) -> None:
    forms = (child.form(child.NAME, own), child.form(child.OTHERS[0], other))
    child.hand_in(context, make_person(context), *forms)


def erase(context: Context, name: str) -> None:
    erase_submissions(context, [child.named(context, name).id], make_person(context, "admin"), ErasureReason.ASKED)


def passages(context: Context, document_id: uuid.UUID) -> list[LibraryPassage]:
    with context.database.session() as session:
        of_it = select(LibraryPassage).where(LibraryPassage.document_id == document_id)
        return list(session.scalars(of_it.order_by(LibraryPassage.position)))


def body(context: Context, report_id: uuid.UUID) -> str:
    return str(context.database.one(select(ReportVersion.document).where(ReportVersion.report_id == report_id)))


def test_a_heading_is_withdrawn_from_every_passage_below_it(context: Context, officer: uuid.UUID) -> None:
    hand_in(context, child.ESSAY, child.OTHER_ESSAY)
    below = [
        " ".join(f"Paragraph {n} speaks of tides and of rope number {k} in the harbour." for k in range(16))
        for n in range(15)
    ]
    heading = child.SENTENCES[0].rstrip(".")
    document_id = added(context, officer, "h.md", "\n\n".join([f"# {heading}", *below, "# Else", *below]).encode())
    before = passages(context, document_id)
    last = max(one.position for one in before if one.heading == heading)
    assert last > LEAST, "it is no candidate"
    with context.database.session() as session:
        store, dimensions = VectorStore(session, "a model"), stored_dimensions(session) or 0
        store.save({content_of(str(one)): np.ones(dimensions, np.float32) for one in range(2)})
        store.use_in_library(document_id, last, [content_of("0")])
        document = session.get_one(LibraryDocument, document_id)
        document.title = "Tides"
        store.use_in_library(document_id, before[-1].position, [content_of("1")])
    erase(context, child.NAME)
    after = passages(context, document_id)
    assert {one.heading for one in after} == {"[withdrawn]", "Else"}
    assert [one.text for one in after[last:]] == [one.text for one in before[last:]]
    assert vectors_of_texts(context) == 1


def test_the_question_that_other_entries_copy_too_stays_in_documents(context: Context, officer: uuid.UUID) -> None:
    hand_in(context, f"{PROMPT} {child.SENTENCES[0]}", f"{PROMPT} {child.OTHER_ESSAY}")
    own = upload_document(context, officer, "rules.md", RULES.encode())
    document_id = added(context, officer, "rules.txt", RULES.encode())
    held = find_held(context, [child.named(context, child.NAME).id])
    assert not {HeldKind.STAYING_DOCUMENTS, HeldKind.STAYING_ORIGINALS, HeldKind.EMPTIED_ORIGINALS} & {
        kind for kind, number in held.counts.items() if number
    }
    erase(context, child.NAME)
    assert context.store.get(original_key(own)) == RULES.encode()
    assert PROMPT in body(context, own)
    assert PROMPT in "".join(one.text for one in passages(context, document_id))
    erase(context, child.OTHERS[0])
    assert context.store.get(original_key(own)) == b"[withdrawn]", "the last entry that had it"


def test_what_the_child_alone_wrote_goes_from_a_document_with_the_question(
    context: Context, officer: uuid.UUID
) -> None:
    hand_in(context, f"{PROMPT} {child.SENTENCES[0]}", f"{PROMPT} {child.OTHER_ESSAY}")
    both = f"{RULES}\n\nOne child wrote: {child.SENTENCES[0]} And more."
    own = upload_document(context, officer, "rules.md", both.encode())
    few = upload_document(context, officer, "few.md", f"{RULES}\n\n{child.SENTENCES[0][:60]}".encode())
    document_id = added(context, officer, "rules.txt", both.encode())
    held = find_held(context, [child.named(context, child.NAME).id])
    assert (held.scope.copying, held.scope.emptied) == ([document_id], [])
    assert held.counts[HeldKind.STAYING_ORIGINALS] == len(held.scope.copies) == 2 and few in held.scope.copies
    erase(context, child.NAME)
    for text in (body(context, own), "".join(one.text for one in passages(context, document_id))):
        assert PROMPT in text and "[withdrawn]" in text and "Barnabus" not in text


def test_files_that_will_be_emptied_are_counted(context: Context, officer: uuid.UUID) -> None:
    hand_in(context, child.ESSAY, child.OTHER_ESSAY)
    upload_document(context, officer, "copy.md", f"# Copy\n\n{child.ESSAY}".encode())
    held = find_held(context, [child.named(context, child.NAME).id])
    assert held.counts[HeldKind.EMPTIED_ORIGINALS] == 1


def test_what_a_form_prints_is_nobodys(context: Context, officer: uuid.UUID) -> None:
    prompts = (one for form in form_profiles() for one in form.printed if one.role is PrintedRole.PROMPT)
    printed = max((text for one in prompts for text in one.texts), key=len)
    assert WordRuns([printed]).copied(printed)
    hand_in(context, f"{child.ESSAY} {printed}", child.OTHER_ESSAY)
    upload_document(context, officer, "rules.md", f"# Rules\n\n{printed}".encode())
    assert find_held(context, [child.named(context, child.NAME).id]).scope.copies == []
