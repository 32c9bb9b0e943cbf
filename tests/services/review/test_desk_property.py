"""Three reviewers, ten entries, any order of what they can do: nothing is lost, done twice or left untold."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, cast

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select, update

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.messages import Message
from core.models import Escalation, ReviewDecision, ReviewSuggestion, Run, Submission, Upload
from pipeline.orchestrator.context import RunResult
from pipeline.orchestrator_state import Outcome
from pipeline.reason_codes import EscalationReason
from pipeline.schema import SubmissionRecord
from services.context import Context
from services.entries.change import edit_record
from services.items.holds import HOLDS, Kind, release_hold, take_hold
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.review.bulk import BulkChoice, bulk_decide, preview_bulk, undo_bulk
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.escalations import Action, resolve_escalation
from services.review.queues import QueueFilter
from services.review.undo import last_decision, reopen_record, undo_decision
from services.runs.run import resume_run
from services.runs.settle import settle_run
from services.uploads.resplit import resplit_upload, undo_resplit
from services.uploads.split import LiveEntry, PlannedEntry, live_entries
from services.uploads.submissions import analyse_upload
from tests.support.long import examples
from tests.support.moments import watching
from tests.support.review.busy_desk import (
    READ,
    BusyDesk,
    check_desk,
    check_nothing_left,
    forget_threads,
    open_desk,
)

REFUSED = (ConflictError, InvalidInputError, NotFoundError)
#: Steps between two looks at the whole desk.
LOOKS = 10

#: What is corrected of a split.
CHANGES = ("drop", "turn", "join")

people = st.integers(0, 2)
places = st.integers(0, 4)
names = st.sampled_from(["Marisol Quintero", "Marisol Quintero Paz", ""])
grades = st.sampled_from(["4", "5", "", "K"])


class Desk(RuleBasedStateMachine):
    """Pages are opened at one time and sent at another: the versions on them are as stale as it comes."""

    context: Context
    pages = Bundle("pages")
    previews = Bundle("previews")
    bulks = Bundle("bulks")
    splits = Bundle("splits")
    corrections = Bundle("corrections")

    def __init__(self) -> None:
        super().__init__()
        self.won: set[tuple[uuid.UUID, int]] = set()
        self.steps = 0

    @initialize()
    def open(self) -> None:
        self.desk: BusyDesk = open_desk(self.context)

    @rule(target=pages, place=places, kind=st.sampled_from(["suggestion", "escalation"]))
    def load_a_page(self, place: int, kind: Kind) -> tuple[Kind, uuid.UUID, int, uuid.UUID, int]:
        item_id = (self.desk.suggestions if kind == "suggestion" else self.desk.escalations)[place]
        with self.context.database.session() as session:
            item = session.get_one(HOLDS[kind].row, item_id)
            entry = session.get_one(Submission, item.submission_id)
            escalation = session.scalar(select(Escalation).where(Escalation.submission_id == entry.id))
            if kind == "suggestion" and item.status != "pending" and escalation is not None:
                return "escalation", escalation.id, escalation.version, entry.id, entry.version
            return kind, item_id, item.version, entry.id, entry.version

    @rule(who=people, page=pages)
    def hold(self, who: int, page: Any) -> None:
        kind, item_id, *_ = page
        with refusals():
            take_hold(self.context, self.desk.reviewers[who], kind, item_id)

    @rule(who=people, page=pages)
    def leave(self, who: int, page: Any) -> None:
        release_hold(self.context, self.desk.reviewers[who], page[0], page[1])

    @rule()
    def five_minutes_pass(self) -> None:
        with self.context.database.session() as session:
            for item in (ReviewSuggestion, Escalation):
                session.execute(update(item).values(claimed_by=None, claimed_until=None))

    @rule(who=people, page=pages, what=st.sampled_from(["approve", "edit", "reject"]), grade=grades)
    def decide(self, who: int, page: Any, what: Literal["approve", "edit", "reject"], grade: str) -> None:
        kind, item_id, version, *_ = page
        if kind == "suggestion":
            answers = {"grade": FieldAnswer(what, grade), "school_name": FieldAnswer("approve")}
            with refusals():
                decide_suggestion(self.context, self.desk.reviewers[who], item_id, version, answers)
                self.count(item_id, version)

    @rule(who=people, page=pages, what=st.sampled_from(["settle", "settle", "reject", "read_again"]), grade=grades)
    def resolve(self, who: int, page: Any, what: Action, grade: str) -> None:
        kind, item_id, version, *_ = page
        if kind == "escalation":
            with refusals():
                resolve_escalation(
                    self.context, self.desk.reviewers[who], item_id, version, what, {"grade": grade}
                )
                self.count(item_id, version)

    @rule(who=people, page=pages, name=names, essay=st.sampled_from([None, "Too short.", READ["essay_text"]]))
    def edit(self, who: int, page: Any, name: str, essay: str | None) -> None:
        values = {"student_name": name} if essay is None else {"essay_text": essay}
        with refusals():
            edit_record(self.context, self.desk.reviewers[who], page[3], page[4], values)
            self.count(page[3], page[4])

    @rule(who=people, page=pages)
    def reopen(self, who: int, page: Any) -> None:
        with refusals():
            reopen_record(self.context, self.desk.reviewers[who], page[3], page[4])
            self.count(page[3], page[4])

    @rule(who=people, page=pages, anywhere=st.booleans())
    def undo(self, who: int, page: Any, anywhere: bool) -> None:
        found = last_decision(self.context, self.desk.reviewers[who], None if anywhere else page[3])
        if found is not None:
            with refusals():
                undo_decision(self.context, self.desk.reviewers[(who + anywhere) % 3], found)
                with pytest.raises(ConflictError):
                    undo_decision(self.context, self.desk.reviewers[who], found)

    @rule(target=previews, who=people)
    def preview(self, who: int) -> list[BulkChoice]:
        found = preview_bulk(self.context, self.desk.reviewers[who], QueueFilter())
        return [BulkChoice(item.suggestion_id, item.version) for item in found.items]

    @rule(target=bulks, who=people, items=previews, what=st.sampled_from(["approve", "reject"]))
    def decide_many(self, who: int, items: Any, what: Literal["approve", "reject"]) -> uuid.UUID:
        done = bulk_decide(self.context, self.desk.reviewers[who], items, what)
        assert done.decided + done.lost + done.held + done.unshown + done.unclear == len(items)
        return done.bulk_id

    @rule(who=people, bulk=bulks)
    def undo_many(self, who: int, bulk: uuid.UUID) -> None:
        with refusals():
            undo_bulk(self.context, self.desk.reviewers[who], bulk)

    @rule(target=splits)
    def load_the_split(self) -> tuple[list[LiveEntry], dict[uuid.UUID, int]]:
        with self.context.database.session() as session:
            live = live_entries(session, [self.desk.upload_id])
            versions = {
                entry.submission_id: session.get_one(Submission, entry.submission_id).version for entry in live
            }
        return live, versions

    @rule(target=corrections, who=people, split=splits, place=st.integers(0, 9), what=st.sampled_from(CHANGES))
    def resplit(self, who: int, split: Any, place: int, what: str) -> uuid.UUID | None:
        live, versions = split
        if not live:
            return None
        plan = [entry.as_planned for entry in live]
        wanted = changed_plan(plan, place % len(plan), what)
        with refusals():
            done = resplit_upload(self.context, self.desk.reviewers[who], [self.desk.upload_id], versions, wanted)
            return done.split_id
        return None

    @rule()
    def carry_out_the_splits(self) -> None:
        """A worker makes the entries of every correction that waits."""
        made = self.context.database.scalars(
            select(Upload.id).where(Upload.season_id == self.desk.season_id, Upload.status == "stored")
        )
        for upload_id in made:
            analyse_upload(self.context, upload_id)

    @rule(who=people, split_id=corrections)
    def undo_the_split(self, who: int, split_id: Any) -> None:
        if split_id is not None:
            with refusals():
                undo_resplit(self.context, self.desk.reviewers[who], split_id)
                with pytest.raises(ConflictError):
                    undo_resplit(self.context, self.desk.reviewers[who], split_id)

    @rule(who=people, place=places, at=st.sampled_from([None, "committed runs", "lock runs"]))
    def resume(self, who: int, place: int, at: str | None) -> None:
        """A worker closes the run; the person may take the decision back while it does."""

        item_id = self.desk.escalations[place]
        found = self.context.database.scalar(
            select(ReviewDecision.id)
            .where(ReviewDecision.item_id == item_id, ReviewDecision.undone_at.is_(None))
            .order_by(ReviewDecision.created_at.desc())
        )

        def change_of_mind(moment: str) -> None:
            if moment == at and found is not None:
                with refusals():
                    undo_decision(self.context, self.desk.reviewers[who], found)

        with watching(change_of_mind):
            resume_run(self.context, item_id)

    @rule(grade=grades)
    def read(self, grade: str) -> None:
        """A worker reads every entry that was sent back."""
        for run_id in self.queued():
            lease = take_lease(self.context, RUNS, run_id)
            assert lease is not None
            settle_run(self.context, lease, reading(uuid.UUID(run_id[:36]), run_id, grade or None))

    def queued(self) -> list[str]:
        return list(
            self.context.database.scalars(
                select(Run.run_id).where(Run.season_id == self.desk.season_id, Run.status == "queued")
            )
        )

    def count(self, decided: uuid.UUID, version: int) -> None:
        """Each item, and each entry, is decided once at a version."""
        assert (decided, version) not in self.won
        self.won.add((decided, version))

    @invariant()
    def holds(self) -> None:
        self.steps += 1
        # The trail keeps what went wrong in between; a look now and then only tells sooner.
        if hasattr(self, "desk") and self.steps % LOOKS == 0:
            check_desk(self.context, self.desk)

    def teardown(self) -> None:
        if not hasattr(self, "desk"):
            return
        items = self.context.database.scalars(
            select(Escalation.id).where(Escalation.season_id == self.desk.season_id)
        )
        for item_id in items:
            resume_run(self.context, item_id)
        check_desk(self.context, self.desk)
        check_nothing_left(self.context, self.desk)


def changed_plan(plan: list[PlannedEntry], at: int, what: str) -> list[PlannedEntry]:
    """The plan with the entry at a place dropped, turned upside down, or joined with the next."""
    if what == "drop":
        return plan[:at] + plan[at + 1 :]
    if what == "turn":
        turned = PlannedEntry(tuple(page._replace(rotation=180) for page in plan[at].pages))
        return [*plan[:at], turned, *plan[at + 1 :]]
    joined = PlannedEntry(tuple(page for entry in plan[at : at + 2] for page in entry.pages))
    return [*plan[:at], joined, *plan[at + 2 :]]


@contextmanager
def refusals() -> Iterator[None]:
    """What a stale page, a hold or a value that does not fit may meet; anything else is a defect."""
    try:
        yield
    except REFUSED as error:
        assert str(error)


def reading(submission_id: uuid.UUID, run_id: str, grade: str | None) -> RunResult:
    """What another reading comes to: an entry that waits at its interrupt again."""
    record = SubmissionRecord.model_validate(
        {
            **READ,
            "word_count": int(READ["word_count"] or 0),
            "submission_id": str(submission_id),
            "artifact_dir": "",
            "doc_class": "SINGLE_TYPED",
            "grade": grade,
            "needs_review": True,
            "page_start": 1,
            "page_end": 1,
        }
    )
    return RunResult(
        record=record,
        report=cast(Any, {}),
        outcome=Outcome.ESCALATED,
        reason=Message.of(EscalationReason.LOW_CONFIDENCE),
        tools_used=[],
        confidence=0.5,
        missing_fields=[] if grade else ["grade"],
        weak_fields=[],
        interrupt={"run_id": run_id},
    )


@pytest.mark.long
def test_any_interleaving(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_threads(monkeypatch)
    machine = type("DeskHere", (Desk,), {"context": context})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples(7, 200),
            stateful_step_count=40,
            deadline=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
