"""New text in a document: what stands there stays, to the last character."""

from __future__ import annotations

import pytest

from lab.bench.research.keyed.claims import cited_sentences
from research.document import ReportDocument
from research.supervision.integration import section_pieces, with_insertions, with_section
from tests.support.research.supervised import document

BODIES = {
    "Fathers read [@abara2018#c1]. Children listen. They ask [@lee2021].": [
        "Fathers read [@abara2018#c1]. ",
        "Children listen. ",
        "They ask [@lee2021].",
    ],
    "Fathers read. [@abara2018] [@lee2021] Children listen.": [
        "Fathers read. [@abara2018] [@lee2021] ",
        "Children listen.",
    ],
    "According to Ortiz et al. [@ortiz2019] it helps.": ["According to Ortiz et al. [@ortiz2019] it helps."],
    "Los padres leen [@abara2018].\n\n> «Los niños escuchan. Y leen.» [@lee2021]": [
        "Los padres leen [@abara2018].\n\n",
        "> «Los niños escuchan. Y leen.» [@lee2021]",
    ],
    "- One [@a2018]\n- Two. Three [@b2019]\n\n| a | b |\n| --- | --- |\n| 1. 2 [@c2020] | 2 |\n\nEnd.": [
        "- One [@a2018]\n- Two. Three [@b2019]\n\n",
        "| a | b |\n| --- | --- |\n| 1. 2 [@c2020] | 2 |\n\n",
        "End.",
    ],
    "She wrote: “It helps. It costs little.” [@a2018] Others doubt it.": [
        "She wrote: “It helps. It costs little.” [@a2018] ",
        "Others doubt it.",
    ],
    "A page ends\x0cwithin a sentence.\n\nThen [@a2018].": [
        "A page ends\x0cwithin a sentence.\n\n",
        "Then [@a2018].",
    ],
    "": [],
}


@pytest.mark.parametrize("body", BODIES)
def test_a_body_in_pieces(body: str) -> None:
    assert [piece.text for piece in section_pieces(body, "en")] == BODIES[body]


def revised(body: str, new: dict[int, str]) -> str:
    before = with_body(body)
    return with_insertions(before, "one", section_pieces(body, "en"), new).sections[0].body


def with_body(body: str) -> ReportDocument:
    first, *rest = document().sections
    return document().model_copy(update={"sections": (first.model_copy(update={"body": body}), *rest)})


def test_behind_a_sentence() -> None:
    assert revised("They read [@a]. They listen.\n\nThey ask.", {1: "NEW [@b]."}) == (
        "They read [@a]. NEW [@b]. They listen.\n\nThey ask."
    )
    assert revised("They read [@a].", {1: "NEW."}) == "They read [@a]. NEW."
    assert revised("", {0: "NEW."}) == "NEW."


@pytest.mark.parametrize(
    "body", [*BODIES, "Dr. Ortiz et al. read\nat 7 p.m. [@a]\nin Ohio. They go on.\n\nEnd [@b]."]
)
def test_every_sentence_stays_whole_wherever_something_is_put(body: str) -> None:
    stood = [piece.text.strip() for piece in section_pieces(body, "en")]
    for number in range(1, len(stood) + 1):
        after = revised(body, {number: "NEW [@c]."})
        before, _, behind = after.partition("NEW [@c].")
        assert f"{before} {behind}".split() == body.split()
        assert all(one in before or one in behind for one in stood)
        assert set(cited_sentences(with_body(body))) <= set(cited_sentences(with_body(after)))


def test_behind_a_table_or_list_as_a_paragraph() -> None:
    table = "| a | b |\n| --- | --- |\n| 1 [@c] | 2 |"
    assert revised(f"{table}\n\nEnd.", {1: "NEW."}) == f"{table}\n\nNEW.\n\nEnd."
    assert revised("- One\n- Two", {1: "NEW."}) == "- One\n- Two\n\nNEW."


def test_a_new_section_follows_at_the_same_level_under_a_key_of_its_own() -> None:
    after = with_section(document(), "one", "Cost", "NEW.")
    assert [section.key for section in after.sections] == ["one", "cost", "two"]
    assert with_section(after, "cost", "Cost", "MORE.").sections[2].key == "cost-2"
