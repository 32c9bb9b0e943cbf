"""A reviewer who knows what stands on the pages works off the queue with real keys: what an entry costs them."""

from __future__ import annotations

import re
import sys
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from playwright.sync_api import Page
from sqlalchemy import func, select

from core.models import Profile, Submission, SubmissionStatus
from lab.bench.desk.browser import signed_in_page
from lab.bench.desk.place import REVIEWER
from lab.bench.desk.read_entries import Label, ReadEntries, read_entries
from lab.bench.measure import Measure, at_most, exactly, measured
from lab.bench.results import Table
from pipeline.profiles import text_fields
from scripts.regression.scoring.compare import Verdict, verdict
from services.accounts.person import Person, person_of
from services.context import Context
from services.items.holds import ItemKind
from services.review.item import DeskItem, DeskRow, desk_item
from services.review.waiting import count_waiting

_VISITS, _KEYS = 1.05, 6
#: What must be right of a settled entry.
_REQUIRED = ("student_name", "school_name", "grade")
_WAITING = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)
_ITEM = re.compile(r"/review/(suggestion|escalation)s/([0-9a-f-]{36})")
#: More visits than these are no work that comes to an end.
_MOST_VISITS = 5
#: An item has no more rows that may have to be looked at first.
_MOST_PRESSES = 12
#: Gone on from an address; or the decision was refused; or a row that was not in view is shown first.
_ANSWERED = """before => location.href !== before
  || document.querySelector("[data-desk-problem]:not([hidden])")
  || document.querySelector("[data-desk-says]")?.textContent
    === document.querySelector("form[data-decide]")?.dataset.unseen"""
_WHY_COMPLETE = "As written"
_BEFORE = (
    "the desk of 998960bd, over what that version had read of the same entries: 1.29 visits and 3.5 keys an "
    "entry, after which 18 of 34 still waited, because nothing there asks for a value or accepts a short essay"
)


class Act(StrEnum):
    """What the reviewer does about a row."""

    NOTHING = "nothing"
    TAKE = "take"
    LEAVE = "leave"
    EDIT = "edit"
    #: Of what was not read and is not on the page.
    ASK = "ask"
    #: Of what was read and is not on the page: of something else that must be there.
    DENY = "deny"
    WAIVE = "waive"


#: Default keys (web/decision_pages.py).
_KEY = {Act.TAKE: "t", Act.LEAVE: "l", Act.EDIT: "e", Act.ASK: "q", Act.DENY: "q", Act.WAIVE: "c"}
_FINISH, _NEXT = "a", "j"


@dataclass
class Effort:
    """What one entry cost."""

    visits: int = 0
    keys: int = 0
    typed: int = 0
    #: In order, for whoever wants to know why.
    pressed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Worked:
    """What came of the queue."""

    efforts: Mapping[uuid.UUID, Effort]
    #: Entries that waited for a person at first.
    waited: int
    #: Required values of settled entries that are not those of the page.
    wrong: list[str]
    #: Entries that wait for a person still, and for nothing that was asked for.
    unfinished: int


def measure() -> tuple[list[Measure], Table]:
    """Have forty entries read, unless they are, and work off what they leave to a person."""
    with read_entries() as entries:
        worked = work_off(entries)
    return _measures(worked, len(entries.truths)), _by_kind(worked, entries.truths)


def _measures(worked: Worked, drawn: int) -> list[Measure]:
    how = (
        f"mean of {worked.waited} entries that waited for a person, of {drawn} drawn and read: "
        "typed forms and essays, scanned print and handwriting, forms of 2022 and 2023, short essays, stacks; a "
        "script that knows the labels presses real keys in Chromium at 1400 × 900: it confirms what is right, "
        "corrects what is wrong among the required and the proposed values, asks for what the page does not "
        "give, accepts a short essay with a reason"
    )

    def mean(of: Callable[[Effort], int]) -> float:
        return sum(map(of, worked.efforts.values())) / worked.waited

    return [
        measured(
            "desk_visits_an_entry",
            mean(lambda effort: effort.visits),
            "visits",
            at_most(_VISITS),
            f"{how}; a visit is an item opened and decided. For comparison, {_BEFORE}",
        ),
        measured(
            "desk_keys_an_entry",
            mean(lambda effort: effort.keys),
            "keys",
            at_most(_KEYS),
            "the same visits: keys that go to a field, choose, begin and end an edit, decide; a key with Alt is "
            "one. The text of an edit does not count",
        ),
        measured(
            "desk_typed_characters",
            mean(lambda effort: effort.typed),
            "characters",
            None,
            "the same visits: the text of the edits and of the reasons, and the keys that choose in a list",
        ),
        measured(
            "desk_one_key_share",
            sum(effort.keys == 1 for effort in worked.efforts.values()) / worked.waited,
            "share",
            None,
            "of these entries, those that took the one key that decides",
        ),
        measured(
            "desk_unfinished",
            worked.unfinished,
            "entries",
            exactly(0),
            "of these entries, those that are afterwards neither settled nor asked for. What was asked for comes "
            "back with its answer, which is a visit of its own",
        ),
        measured(
            "desk_wrong_values",
            len(worked.wrong),
            "values",
            exactly(0),
            "names, schools and grades of settled entries that are not those of the page",
        ),
    ]


def _by_kind(worked: Worked, truths: Mapping[uuid.UUID, Label]) -> Table:
    kinds: dict[str, list[Effort]] = defaultdict(list)
    for submission_id, effort in worked.efforts.items():
        kinds[truths[submission_id]["kind"]].append(effort)
    return {
        "title": "What an entry costs at the desk, by kind of file",
        "columns": ["kind", "entries that waited", "visits", "keys", "typed characters"],
        "rows": [
            [
                kind,
                len(found),
                *(round(sum(numbers) / len(found), 2) for numbers in zip(*map(_numbers, found), strict=True)),
            ]
            for kind, found in sorted(kinds.items())
        ],
    }


def _numbers(effort: Effort) -> tuple[int, int, int]:
    return effort.visits, effort.keys, effort.typed


def work_off(entries: ReadEntries) -> Worked:
    """Decide one item after the other until none waits. Raises RuntimeError where that does not end."""
    context = entries.office.context
    waited = _waiting(context)
    with signed_in_page(entries.office.app) as page:
        reviewer = _Reviewer(page, context, entries.truths)
        reviewer.work()
    for said in reviewer.refused:
        print(said, file=sys.stderr)
    with context.database.session() as session:
        settled = session.scalars(select(Submission).where(Submission.status == SubmissionStatus.RESOLVED.value))
        wrong = [
            f"{name} {getattr(entry, name)!r} of {entry.student_name!r}"
            for entry in settled
            for name in _REQUIRED
            if not _is_right(entries.truths[entry.id], name, getattr(entry, name))
        ]
    return Worked(reviewer.efforts, waited, wrong, count_waiting(context).waiting)


def _waiting(context: Context) -> int:
    with context.database.session() as session:
        query = select(func.count()).select_from(Submission).where(Submission.status.in_(_WAITING))
        return session.scalar(query) or 0


def _is_right(truth: Label, name: str, value: str | None) -> bool:
    return verdict(name, truth, value) in (Verdict.RIGHT, Verdict.EMPTY)


def _true_value(truth: Label, name: str) -> str | None:
    """What a person types: a school as the list has it, which is the second of its accepted writings."""
    accepted = truth["accepted"].get(name, ())
    return str(accepted[1]) if len(accepted) > 1 else truth.get(name)


def act_on(row: DeskRow, truth: Label) -> Act:
    """Return what the reviewer does about a row, so that it says what the page says."""
    name, proposed = row.name, row.proposal.proposed if row.proposal else None
    if name in text_fields():
        # Nobody types an essay anew.
        return Act.WAIVE if row.missing and row.waivable else Act.NOTHING
    if not row.needs and not row.required:
        return Act.NOTHING
    if row.is_choice:
        marked = {"approve": proposed, "keep": row.current}.get(row.preselected or "")
        if marked is not None and _is_right(truth, name, marked):
            return Act.NOTHING
        if _is_right(truth, name, proposed):
            return Act.TAKE
        if not row.confirms and row.current is not None and _is_right(truth, name, row.current):
            return Act.LEAVE
        return Act.DENY if truth.get(name) is None and row.required else Act.EDIT
    if truth.get(name) is None:
        if row.current is None:
            return Act.ASK if row.missing else Act.NOTHING
        return Act.DENY if row.required else Act.EDIT
    if row.current is not None and _is_right(truth, name, row.current):
        return Act.NOTHING
    return Act.TAKE if row.offered is not None and _is_right(truth, name, row.offered) else Act.EDIT


class _Reviewer:
    def __init__(self, page: Page, context: Context, truths: Mapping[uuid.UUID, Label]) -> None:
        self._page, self._context, self._truths = page, context, truths
        self._person = _person(context)
        self._effort = Effort()
        #: Whether an input has the focus, so that keys need Alt.
        self._types = False
        self.efforts: dict[uuid.UUID, Effort] = defaultdict(Effort)
        #: What the desk said to decisions that it did not take, and the entries that still wait because of it.
        self.refused: list[str] = []
        self.left: set[uuid.UUID] = set()

    def work(self) -> None:
        """Go through the queue from its first item."""
        self._page.goto("/review/first")
        while found := _ITEM.search(self._page.url):
            kind: ItemKind = "suggestion" if found[1] == "suggestion" else "escalation"
            item = desk_item(self._context, self._person, kind, uuid.UUID(found[2]))
            if item.submission_id in self.left:
                return
            self._decide(item)

    def _decide(self, item: DeskItem) -> None:
        truth = self._truths[item.submission_id]
        effort = self._effort = self.efforts[item.submission_id]
        effort.visits += 1
        if effort.visits > _MOST_VISITS:
            raise RuntimeError(f"{item.submission_id} comes back again and again: {effort.pressed}")
        self._page.wait_for_load_state("networkidle")
        self._page.wait_for_selector('main [data-act="approve"]:not([disabled])')
        self._types = False
        acts = {row.name: act_on(row, truth) for row in item.rows}
        if Act.ASK in acts.values():
            # First, while no field has the focus: then it is for all that are open.
            self._press(_KEY[Act.ASK])
        for number, row in enumerate(item.shown, 1):
            if acts[row.name] in (Act.TAKE, Act.LEAVE, Act.EDIT, Act.DENY):
                self._change(number, row, acts[row.name], truth)
        if Act.WAIVE in acts.values():
            self._press(_KEY[Act.WAIVE])
            self._type(_WHY_COMPLETE)
        if not self._finish(item):
            self._leave(item)

    def _change(self, number: int, row: DeskRow, act: Act, truth: Label) -> None:
        if self._at() != row.name:
            if number > 9:
                raise RuntimeError(f"no digit goes to {row.name}")
            self._press(str(number))
            self._types = False
        self._press(_KEY[act])
        if act == Act.EDIT:
            self._type(_true_value(truth, row.name) or "")

    def _finish(self, item: DeskItem) -> bool:
        """Press the key that decides until the next item is shown or the queue is done; whether it was taken."""
        before = self._page.url
        for _ in range(_MOST_PRESSES):
            self._press(_FINISH)
            self._types = False
            self._page.wait_for_function(_ANSWERED, arg=before)
            if self._page.url != before:
                return True
            problem = self._page.locator("[data-desk-problem]:not([hidden])")
            if problem.count():
                self.refused.append(f"{problem.inner_text()} after {self._effort.pressed}")
                return False
        raise RuntimeError(f"not decided: {self._page.locator('[data-desk-says]').inner_text()}")

    def _leave(self, item: DeskItem) -> None:
        """Go on without a decision; nothing more can be done about this entry."""
        self.left.add(item.submission_id)
        before = self._page.url
        self._page.keyboard.press("Escape")
        if self._page.locator('main a[data-act="next"]').count():
            self._press(_NEXT)
            self._page.wait_for_function("before => location.href !== before", arg=before)
        else:
            self._page.goto("/review")

    def _at(self) -> str | None:
        """The field that has the focus."""
        found: str | None = self._page.evaluate(
            "document.activeElement?.closest('main [data-field]')?.dataset.field ?? null"
        )
        return found

    def _press(self, key: str) -> None:
        self._page.keyboard.press(f"Alt+{key}" if self._types else key)
        self._effort.keys += 1
        self._effort.pressed.append(key)

    def _type(self, text: str) -> None:
        """Type over what is selected, or choose in a list as the keyboard does it."""
        keyboard = self._page.keyboard
        if self._page.evaluate("document.activeElement.tagName") == "SELECT":
            steps = self._page.evaluate(
                "text => [...document.activeElement.options].findIndex(o => o.text === text)"
                " - document.activeElement.selectedIndex",
                text,
            )
            for _ in range(abs(steps)):
                keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")
            self._effort.typed += abs(steps)
        elif text:
            keyboard.type(text)
            self._effort.typed += len(text)
        else:
            keyboard.press("Delete")
            self._effort.typed += 1
        self._effort.pressed.append(f"“{text}”")
        self._types = True


def _person(context: Context) -> Person:
    return person_of(context.database.one(select(Profile).where(Profile.email == REVIEWER)))
