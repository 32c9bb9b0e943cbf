"""When an analysis without a gap is an approval, and when it says nothing of the document."""

from __future__ import annotations

import pytest

from research.document import Reference, ReportDocument
from research.material import SourceText
from research.sources.base import Passage
from research.storage.progress import LibraryState
from research.supervision.analysis.by_rule import RuleAnalyst
from research.supervision.analysis.related_sources import unread
from research.supervision.types import TIERS, SupervisorDecision
from tests.support.research.supervised import document

READY, READING, EMPTY = LibraryState(4, 0), LibraryState(0, 3), LibraryState(0, 0)


def source(key: str, language: str = "en") -> SourceText:
    return SourceText(Reference(key=key, title=key), "example.org", (Passage("Text.", 0, 5),), language)


def examined(
    *sources: SourceText, library: LibraryState = READY, text: ReportDocument | None = None
) -> SupervisorDecision:
    related = {one.reference.key: one for one in sources}
    found = RuleAnalyst(lambda _: related, lambda: library).analyse(text or long(), [], 1, TIERS["standard"])
    assert found.issue is None
    return found


def long() -> ReportDocument:
    one, two = document().sections
    return document().model_copy(update={"sections": (one.model_copy(update={"body": one.body * 4}), two)})


def test_rules_that_compared_it_with_sources_approve() -> None:
    found = examined(source("abara2018"), source("brandt2020"), source("lopez2021", "es"))
    assert found.examined and found.note is not None
    assert (found.note.code, found.note.params) == ("rules_satisfied", {"sources": 2})


def test_what_weighs_too_little_is_not_denied() -> None:
    one, two = long().sections
    more = [one.model_copy(update={"key": key}) for key in ("three", "four")]
    short = two.model_copy(update={"key": "five", "body": "A few words alone."})
    found = examined(
        source("a"), source("b"), text=document().model_copy(update={"sections": (one, *more, short)})
    )
    assert found.examined and found.note is not None and found.note.code == "nothing_further"


@pytest.mark.parametrize(
    ("library", "code"),
    [
        (EMPTY, "library_empty"),
        (READING, "library_being_read"),
        (LibraryState(1, 2), "library_being_read"),
        (READY, "too_few_sources"),
    ],
)
def test_without_sources_rules_say_nothing(library: LibraryState, code: str) -> None:
    found = examined(source("lopez2021", "es"), library=library)
    assert not found.examined and found.note is not None and found.note.code == code


def test_two_lines_are_not_examined() -> None:
    found = examined(source("a"), source("b"), text=document())
    assert not found.examined and found.note is not None and found.note.code == "document_too_short"


def test_a_library_that_is_read_has_something_to_say() -> None:
    assert unread(READY) is None
    assert [why.code for why in (unread(READING), unread(EMPTY)) if why] == ["library_being_read", "library_empty"]
