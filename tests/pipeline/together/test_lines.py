"""The joint pass over values with lattices: what the recogniser considered decides with the others' spelling."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.joint_pass.respelling import respell
from pipeline.joint_pass.votes import Member, Respelling, with_changes
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.spelling.lattice import Lattice, pack_lattice
from pipeline.validate import validate_record
from pipeline.validation.policy import Policy
from tests.support.reading.lines import steps_of

Doubts = Mapping[int, Mapping[str, float]]


def read_as(
    key: str,
    value: str,
    line: str = "",
    doubts: Doubts | None = None,
    source: Source = Source.OCR,
    **given: object,
) -> Member:
    """A member whose line says `line` (else its value), with other letters for some of its places."""
    considered = pack_lattice(Lattice(steps_of(line or value, doubts)))
    update = {"value": value, "confidence": 0.7, "source": source, "considered": (considered,) * 3, **given}
    reading = FieldReading(**update)  # type: ignore[arg-type]
    record = SubmissionRecord(submission_id=key, school_name=value, readings={"school_name": reading})
    return Member(record, "stack.pdf")


def many(name: str, count: int, key: str = "many") -> list[Member]:
    return [read_as(f"{key}{number}", name) for number in range(count)]


def after(changes: dict[str, list[Respelling]], key: str) -> list[str]:
    return [change.after for change in changes.get(key, [])]


#: Its line has letters of the school; the word that was read is likelier by the list of words alone.
GATE = read_as("off", "Gate Grove School", "Gatiteo Grove School", {2: {"l": 0.3}, 4: {"l": 0.3}})


def test_a_school_read_as_another_word_is_spelled_as_its_line_allows() -> None:
    (change,) = respell([*many("Galileo Grove School", 4), GATE])["off"]
    assert (change.before, change.after, change.support) == ("Gate Grove School", "Galileo Grove School", 4)
    assert not change.carried


def test_without_its_line_it_stands() -> None:
    reading = GATE.record.readings["school_name"].model_copy(update={"considered": ()})
    bare = Member(GATE.record.model_copy(update={"readings": {"school_name": reading}}), "stack.pdf")
    assert respell([*many("Galileo Grove School", 4), bare]) == {}


def test_the_change_is_said_and_blocks_completion() -> None:
    changes = respell([*many("Galileo Grove School", 4), GATE])["off"]
    record = with_changes(GATE.record, changes)
    reading = record.readings["school_name"]
    assert (reading.disagrees_with, reading.way) == ("Gate Grove School", changes[0].way)
    assert "SPELLED_AS_OTHERS" in validate_record(record, Policy())[0].review_reason_codes


def test_misreadings_that_several_share_are_one_spelling() -> None:
    ends = ("", " School", " Sch.")
    shared = [read_as(f"off{n}", f"Galilea Grove{end}", doubts={6: {"o": 0.1}}) for n, end in enumerate(ends)]
    changes = respell([*many("Galileo Grove School", 4), *shared])
    assert [after(changes, f"off{n}") for n in range(3)] == [[f"Galileo Grove{end}"] for end in ends]


def test_a_school_of_a_similar_name_stands_where_its_line_is_clear() -> None:
    assert respell([*many("Oak Hill School", 9), *many("Oak Mill School", 1, "mill")]) == {}
    assert respell([*many("Oak Hill School", 9), *many("Oak Mill School", 3, "mill")]) == {}


def test_of_two_schools_the_one_that_the_line_says_is_taken() -> None:
    votes = [*many("Corbel Park", 5), *many("Corbin Park", 5, "other")]
    unclear = read_as("off", "Corbll Park", "Corbll Park", {4: {"e": 0.4, "i": 0.001}})
    assert after(respell([*votes, unclear]), "off") == ["Corbel Park"]
    even = read_as("off", "Corbll Park", "Corbll Park", {4: {"e": 0.1, "i": 0.1}, 5: {"n": 0.4}})
    assert respell([*votes, even]) == {}


def test_a_third_word_that_the_line_says_stands_against_the_others() -> None:
    votes = many("Harbor View School", 5)
    assert respell([*votes, read_as("off", "Charter View School", "Harper View School")]) == {}


def test_a_line_can_veto_what_the_readings_alone_would_decide() -> None:
    votes = many("Corbin Park", 3)
    assert respell([*votes, read_as("off", "Corbel Park")]) == {}
    bare = read_as("off", "Corbel Park", considered=())
    assert after(respell([*votes, bare]), "off") == ["Corbin Park"]


def test_a_short_word_is_spelled_by_its_line() -> None:
    off = read_as("off", "Colegio Lo Paz", doubts={9: {"a": 0.2}})
    assert after(respell([*many("Colegio La Paz", 5), off]), "off") == ["Colegio La Paz"]


def test_what_is_no_recognised_reading_of_its_own_stands() -> None:
    others = many("Galileo Grove School", 9)
    reading = GATE.record.readings["school_name"]
    for update in ({"source": Source.TEXT_LAYER}, {"source": Source.PERSON}, {"confidence": 0.97}):
        changed = {"school_name": reading.model_copy(update=update)}
        sure = Member(GATE.record.model_copy(update={"readings": changed}), "stack.pdf")
        assert respell([*others, sure]) == {}


def test_a_listed_word_stands() -> None:
    assert respell([*many("Galileo Grove School", 4), GATE], ["Gate Grove School"]) == {}


VALUES = ("Galileo Grove School", "Galieo Grove School", "Gate Grove", "Oak Hill School", "Oak Mill School")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(VALUES), min_size=4, max_size=9), st.randoms())
def test_order_and_repetition_change_nothing(names: list[str], chance: object) -> None:
    members = [read_as(f"{n:02d}", name, doubts={2: {"l": 0.3}}) for n, name in enumerate(names)]
    expected = respell(members)
    again = [*members, *members[: len(members) // 2]]
    chance.shuffle(again)  # type: ignore[attr-defined]
    assert respell(again) == expected


STRANGERS = (
    "Marigold Prep",
    "Stonebridge Academy",
    "Tulip Charter",
    "Kestrel Middle School",
    "PS 118",
    "Cobalt High",
)


@settings(max_examples=25, deadline=None)
@given(st.sets(st.sampled_from(STRANGERS)))
def test_strangers_change_nothing(names: set[str]) -> None:
    members = [read_as(name, name, doubts={1: {"e": 0.4}}) for name in names]
    assert respell(members) == {}
