from __future__ import annotations

from typing import Any

import pytest

from core.messages import Message
from research.document import Reference, ReportDocument
from research.supervision.loop.routing import revision_problems
from research.supervision.types import RefusalCode
from tests.support.research.supervised import document, revised


def changed(**section: Any) -> ReportDocument:
    """A revision whose second section is changed."""
    after = revised(document(), "theory1")
    first, second = after.sections
    return after.model_copy(update={"sections": (first, second.model_copy(update=section))})


def test_a_sentence_more_passes() -> None:
    assert revision_problems(document(), revised(document(), "theory1"), ["theory1"]) == []


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (changed(body="It costs little."), Message.of(RefusalCode.CITATIONS_LOST, keys=["lee2021"])),
        (
            changed(body=document().sections[1].body + "[@nobody1999]"),
            Message.of(RefusalCode.CITATIONS_UNKNOWN, keys=["nobody1999"]),
        ),
        (changed(key="other"), Message.of(RefusalCode.SECTIONS_LOST, headings=["Cost"])),
        (changed(body=" "), Message.of(RefusalCode.SECTIONS_LOST, headings=["Cost"])),
        (changed(body="[@lee2021#c2]"), Message.of(RefusalCode.TEXT_SHRUNK, was=198, now=133, least=80)),
        (document(), Message.of(RefusalCode.NOTHING_NEW)),
    ],
)
def test_what_is_refused(after: ReportDocument, said: Message) -> None:
    assert said in revision_problems(document(), after, ["theory1"])


def test_a_reference_that_is_gone() -> None:
    after = revised(document(), "theory1").model_copy(
        update={"references": (Reference(key="theory1", title="T"),)}
    )
    assert revision_problems(document(), after, ["theory1"]) == [
        Message.of(RefusalCode.REFERENCES_LOST, keys=["lee2021", "ortiz2019"])
    ]


def test_a_new_source_without_a_reference() -> None:
    after = revised(document(), "theory1").model_copy(update={"references": document().references})
    assert revision_problems(document(), after, ["theory1"]) == [
        Message.of(RefusalCode.REFERENCES_MISSING, keys=["theory1"])
    ]


def test_sections_may_be_moved_added_and_renamed() -> None:
    after = revised(document(), "theory1")
    first, second = after.sections
    new = first.model_copy(update={"key": "three", "heading": "Theory", "body": "More."})
    renamed = second.model_copy(update={"heading": "What it costs"})
    assert (
        revision_problems(document(), after.model_copy(update={"sections": (renamed, new, first)}), ["theory1"])
        == []
    )


def test_what_need_not_stand_may_go() -> None:
    before = document()
    spare = before.sections[1].model_copy(update={"key": "spare", "body": "Aside.", "required": False})
    before = before.model_copy(update={"sections": (*before.sections, spare)})
    assert revision_problems(before, revised(document(), "theory1"), ["theory1"]) == []
