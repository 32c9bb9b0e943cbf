"""Where two entries have the same values and their pages look different, the values are asked for first."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import select, update

from core.errors import InvalidInputError
from core.models import DuplicatePair, PairDecision, Submission, SubmissionField, Upload
from services.accounts.person import person_of
from services.context import Context
from services.messages.entries import Refused
from services.review.pair_decisions import decide_pair
from services.review.pairs import PairDetail, SideDecision, give_values, pair_detail, values_first
from tests.services.conftest import Reviewers
from tests.support.review import desk
from tests.support.site import person

DROPS = (PairDecision.KEEP_FIRST, PairDecision.KEEP_SECOND, PairDecision.REPLACE)


@pytest.fixture
def merged(context: Context) -> tuple[uuid.UUID, uuid.UUID, uuid.UUID]:
    """Two entries with one child's values, whose pages show two; their ids, and the pair's."""
    with context.database.session() as session:
        first, second, pair = desk.make_merged(context, session)
        return first.submission.id, second.submission.id, pair.id


def shown(context: Context, pair_id: uuid.UUID) -> PairDetail:
    return pair_detail(context, person_of(person(context, "reviewer")), pair_id)


def given(
    context: Context, ids: tuple[uuid.UUID, ...], *said: tuple[str, bool]
) -> tuple[SideDecision, SideDecision]:
    with context.database.session() as session:
        versions = [session.get_one(Submission, found).version for found in ids[:2]]
    one, other = (SideDecision(at, *what) for at, what in zip(versions, said, strict=True))
    return one, other


def test_no_child_is_dropped_while_the_pages_look_different(
    context: Context, reviewers: Reviewers, merged: tuple[uuid.UUID, ...]
) -> None:
    assert shown(context, merged[2]).values_first == ("student_name", "essay_text")
    for decision in (*DROPS, PairDecision.KEEP_BOTH):
        with pytest.raises(InvalidInputError) as refused:
            decide_pair(context, reviewers.ana, merged[2], 1, decision)
        assert refused.value.told.code == Refused.VALUES_FIRST
    assert context.database.get_one(DuplicatePair, merged[2]).decision is None


def test_two_names_and_their_essays_leave_keeping_both(
    context: Context, reviewers: Reviewers, merged: tuple[uuid.UUID, ...]
) -> None:
    names = (("Marisol Quintero", True), ("Anselm Okoye", False))
    give_values(context, reviewers.ana, merged[2], given(context, merged, *names))
    # Whose essay it is, is still open: both have the same.
    item = shown(context, merged[2])
    assert (item.values_first, item.two_names) == (("essay_text",), True)
    with pytest.raises(InvalidInputError):
        decide_pair(context, reviewers.ana, merged[2], item.version, PairDecision.KEEP_BOTH)
    give_values(context, reviewers.ana, merged[2], given(context, merged, ("", False), ("", True)))
    item = shown(context, merged[2])
    assert (item.values_first, item.two_names) == ((), True)
    decide_pair(context, reviewers.ana, merged[2], item.version, PairDecision.KEEP_BOTH)
    with context.database.session() as session:
        found = [session.get_one(Submission, one) for one in merged[:2]]
        assert [(one.student_name, one.status) for one in found] == [
            ("Marisol Quintero", "resolved"),
            ("Anselm Okoye", "resolved"),
        ]


def test_one_child_on_both_pages_may_be_kept_once(
    context: Context, reviewers: Reviewers, merged: tuple[uuid.UUID, ...]
) -> None:
    give_values(context, reviewers.ana, merged[2], given(context, merged, *[("Marisol Quintero", True)] * 2))
    item = shown(context, merged[2])
    assert (item.values_first, item.two_names) == ((), False)
    decide_pair(context, reviewers.ana, merged[2], item.version, PairDecision.KEEP_FIRST)


def test_nothing_is_asked_without_a_doubt(context: Context, merged: tuple[uuid.UUID, ...]) -> None:
    first, second, _ = merged

    def asked(**values: object) -> tuple[str, ...]:
        with context.database.session() as session:
            field = SubmissionField
            session.execute(update(field).where(field.name == "essay_text").values(source="text_layer"))
            if values:
                session.execute(update(field).where(field.name == "essay_text").values(**values))
        return values_first(context, first, second)

    assert asked() == ("student_name", "essay_text")
    # What was recognised from the pictures themselves is what they show.
    assert asked(source="ocr") == ()
    with context.database.session() as session:
        query = select(Upload).join(Submission, Submission.upload_id == Upload.id)
        upload = session.scalars(query.where(Submission.id == second)).one()
    # The very same page.
    context.store.put(upload.storage_key, desk.entry_pdf())
    context.store.delete(f"cache/pages/{upload.id}/1-800.webp")
    assert asked() == ()
    # Unless reading it has found a value that is not what it shows.
    context.database.execute(
        update(Submission).where(Submission.id == second).values(review_reason_codes=["NOT_AS_SHOWN"])
    )
    assert asked() == ("student_name", "essay_text")


def test_other_values_are_seen_to_be_other(context: Context) -> None:
    with context.database.session() as session:
        first, second, pair = desk.make_twice(context, session)
        context.store.put(second.upload.storage_key, desk.entry_pdf(student="Anselm Okoye"))
    assert values_first(context, first.submission.id, second.submission.id) == ()
    with pytest.raises(InvalidInputError):
        give_values(context, first.owner.id, pair.id, (SideDecision(1), SideDecision(1)))
