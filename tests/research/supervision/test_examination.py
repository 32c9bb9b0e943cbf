"""When an analysis without a gap is an approval, and when it says nothing of the document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from research.document import Reference, ReportDocument
from research.material import SourceText
from research.sources.base import Passage
from research.storage.progress import LibraryState
from research.supervision.analysis.examination import Examination, Examiner
from tests.support.research.supervised import document

READY, READING, EMPTY = LibraryState(4, 0), LibraryState(0, 3), LibraryState(0, 0)


def source(key: str, language: str = "en") -> SourceText:
    return SourceText(Reference(key=key, title=key), "example.org", (Passage("Text.", 0, 5),), language)


def examined(
    *sources: SourceText, library: LibraryState = READY, text: ReportDocument | None = None
) -> Examination:
    related = {one.reference.key: one for one in sources}
    return Examiner(lambda: library, False, lambda _: related).examination(text or long())


def long() -> ReportDocument:
    one, two = document().sections
    return document().model_copy(update={"sections": (one.model_copy(update={"body": one.body * 4}), two)})


def test_rules_that_compared_it_with_sources_approve() -> None:
    found = examined(source("abara2018"), source("brandt2020"), source("lopez2021", "es"))
    assert found.examined and found.note is not None
    assert (found.note.code, found.note.params) == ("rules_satisfied", {"sources": 2})


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


@pytest.mark.parametrize("by_model", [True, False])
def test_two_lines_are_not_examined(by_model: bool) -> None:
    examiner = Examiner(lambda: READY, True, None if by_model else lambda _: {"a": source("a"), "b": source("b")})
    found = examiner.examination(document())
    assert not found.examined and found.note is not None and found.note.code == "document_too_short"


def test_a_model_reads_the_document_itself() -> None:
    assert Examiner(lambda: EMPTY, False, None).examination(long()) == Examination(True)


def test_nothing_can_be_asked_of_a_library_alone_that_is_empty() -> None:
    examiner = Examiner(lambda: READING, False, None)
    why = examiner.nothing_to_ask()
    assert why is not None and why.params == {"waiting": 3}
    assert replace(examiner, others=True).nothing_to_ask() is None
    assert replace(examiner, library=lambda: READY).nothing_to_ask() is None
