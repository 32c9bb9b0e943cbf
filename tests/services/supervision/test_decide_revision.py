"""A person accepts, edits or rejects; who comes too late is told who was first."""

from __future__ import annotations

import threading
import uuid

import pytest
from sqlalchemy import select

from core.errors import ConflictError, HeldError, InvalidInputError, NotFoundError
from core.models import Report, ReportClaim, ReportRevision, ReportSupervision, ReportVersion
from research.document import ReportDocument
from services.context import Context
from services.items.holds import release_hold, take_hold
from services.supervision.documents import editable_markdown
from services.supervision.request import cancel_supervision, start_supervision
from services.supervision.revisions import decide_revision
from services.supervision.run import run_supervision
from tests.support.office import make_person
from tests.support.queued import queue_depth


@pytest.fixture
def revision(context: Context, officer: uuid.UUID, report_id: uuid.UUID) -> ReportRevision:
    """The first one of a loop, which waits."""
    supervision_id = start_supervision(context, officer, report_id, "standard", "supervised")
    assert run_supervision(context, supervision_id)
    assert loop(context, supervision_id).status == "awaiting_decision"
    assert not run_supervision(context, supervision_id), "there is nothing to do until it is decided"
    with context.database.session() as session:
        row = session.scalars(select(ReportRevision)).one()
        assert session.get_one(Report, report_id).current_version == 1
        assert session.scalar(select(ReportClaim.claim_id)) is None
    assert row.status == "pending"
    return row


def loop(context: Context, supervision_id: uuid.UUID) -> ReportSupervision:
    return context.database.get_one(ReportSupervision, supervision_id)


def again(context: Context, revision: ReportRevision) -> ReportRevision:
    return context.database.get_one(ReportRevision, revision.id)


def version(context: Context, report_id: uuid.UUID, version_no: int) -> ReportVersion:
    return context.database.get_one(ReportVersion, (report_id, version_no))


def proposal(revision: ReportRevision) -> ReportDocument:
    return ReportDocument.model_validate(revision.document)


def test_accepted_it_is_the_next_version_and_the_loop_goes_on(
    context: Context, officer: uuid.UUID, revision: ReportRevision
) -> None:
    context.redis.flushdb()
    assert decide_revision(context, officer, revision.id, 1, "accepted", reason=" Well found. ") == 2
    assert queue_depth(context.redis) == 1
    made = version(context, revision.report_id, 2)
    assert (made.document, made.origin, made.made_by) == (revision.document, "revision", officer)
    decided = again(context, revision)
    assert (decided.status, decided.reason, decided.resumed_at) == ("accepted", "Well found.", None)
    assert context.database.scalars(select(ReportClaim.claim_id))
    assert run_supervision(context, revision.supervision_id)
    assert again(context, revision).resumed_at is not None
    assert loop(context, revision.supervision_id).status == "awaiting_decision", "the second one waits"


def test_rejected_the_loop_does_not_return_to_it(
    context: Context, officer: uuid.UUID, revision: ReportRevision
) -> None:
    assert decide_revision(context, officer, revision.id, 1, "rejected", reason="Not our subject.") is None
    run_supervision(context, revision.supervision_id)
    with context.database.session() as session:
        second = session.scalars(select(ReportRevision).where(ReportRevision.iteration == 2)).one()
        assert session.get_one(Report, revision.report_id).current_version == 1
    assert second.issue is not None and revision.issue is not None
    assert second.issue["topic"] != revision.issue["topic"]
    assert second.base_version == 1


def test_edited_it_is_what_the_person_wrote(
    context: Context, officer: uuid.UUID, revision: ReportRevision
) -> None:
    text = editable_markdown(proposal(revision))
    changed = text.replace("## What the evenings are", "## The evenings").replace(
        "Schools invite fathers", "Some schools invite fathers"
    )
    assert changed.count("The evenings") and changed.count("Some schools")
    made = decide_revision(context, officer, revision.id, 1, "edited", changed)
    assert made == 2
    document = ReportDocument.model_validate(version(context, revision.report_id, 2).document)
    before = proposal(revision)
    assert [section.key for section in document.sections] == [section.key for section in before.sections]
    assert document.sections[0].heading == "The evenings"
    assert document.sections[0].body.startswith("Some schools invite fathers")
    assert document.references == before.references
    assert version(context, revision.report_id, 2).origin == "edited"
    assert again(context, revision).edited_document == document.model_dump(mode="json")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## What they cost", "", "These sections would be gone"),
        (" [@brandt2020]", "", "These citations would be lost"),
        ("habit for the family", "habit [@nobody1999]", "do not match any source: nobody1999"),
    ],
)
def test_what_the_guard_refuses_of_an_edit_is_said(
    context: Context, officer: uuid.UUID, revision: ReportRevision, old: str, new: str, said: str
) -> None:
    text = editable_markdown(proposal(revision))
    # The markers of claims too, and the whole section with its heading.
    body = text.replace(old, new)
    if old.startswith("##"):
        body = text[: text.index(old)] + text[text.index("## References") :]
    if "brandt" in old:
        body = "\n".join(line for line in text.split("\n") if "@brandt2020" not in line)
    with pytest.raises(InvalidInputError, match=said):
        decide_revision(context, officer, revision.id, 1, "edited", body)
    assert again(context, revision).status == "pending"


@pytest.mark.parametrize(
    ("decided", "edited"), [("maybe", None), ("edited", None), ("accepted", "# Text"), ("edited", "  \n")]
)
def test_what_is_no_decision_is_refused(
    context: Context, officer: uuid.UUID, revision: ReportRevision, decided: str, edited: str | None
) -> None:
    with pytest.raises(InvalidInputError):
        decide_revision(context, officer, revision.id, 1, decided, edited)


def test_of_two_decisions_at_once_one_wins(context: Context, officer: uuid.UUID, revision: ReportRevision) -> None:
    people = [officer, make_person(context, "reviewer")]
    begin, won, lost = threading.Barrier(2), list[int | None](), list[ConflictError]()

    def decide(person: uuid.UUID) -> None:
        begin.wait()
        try:
            won.append(decide_revision(context, person, revision.id, 1, "accepted"))
        except ConflictError as error:
            lost.append(error)

    threads = [threading.Thread(target=decide, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert won == [2]
    assert len(lost) == 1 and lost[0].who in ("Officer", "Reviewer")
    assert context.database.scalars(select(ReportVersion.version_no).order_by(ReportVersion.version_no)) == [1, 2]


def test_an_old_version_of_a_revision_is_refused(
    context: Context, officer: uuid.UUID, revision: ReportRevision
) -> None:
    with pytest.raises(ConflictError, match="has changed"):
        decide_revision(context, officer, revision.id, 7, "accepted")
    with pytest.raises(NotFoundError):
        decide_revision(context, officer, uuid.uuid4(), 1, "accepted")


def test_who_has_it_open_decides(context: Context, officer: uuid.UUID, revision: ReportRevision) -> None:
    other = make_person(context, "reviewer")
    assert take_hold(context, other, "revision", revision.id).mine
    with pytest.raises(HeldError, match="Reviewer has this revision open"):
        decide_revision(context, officer, revision.id, 1, "accepted")
    assert not take_hold(context, officer, "revision", revision.id).mine
    release_hold(context, other, "revision", revision.id)
    assert take_hold(context, officer, "revision", revision.id).mine
    assert decide_revision(context, officer, revision.id, 1, "accepted") == 2
    with pytest.raises(ConflictError, match="accepted by Officer"):
        take_hold(context, other, "revision", revision.id)


def test_stopped_while_it_waits_it_is_withdrawn(
    context: Context, officer: uuid.UUID, revision: ReportRevision
) -> None:
    cancel_supervision(context, officer, revision.supervision_id)
    row = loop(context, revision.supervision_id)
    assert (row.status, row.ended_because, row.last_version) == ("cancelled", "cancelled", 1)
    withdrawn = again(context, revision)
    assert (withdrawn.status, withdrawn.document) == ("withdrawn", revision.document)
    with pytest.raises(ConflictError, match="withdrawn"):
        decide_revision(context, officer, revision.id, 2, "accepted")
    with pytest.raises(ConflictError, match="has already ended"):
        cancel_supervision(context, officer, revision.supervision_id)
    assert not run_supervision(context, revision.supervision_id)
