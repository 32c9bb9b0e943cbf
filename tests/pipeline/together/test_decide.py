"""The joint pass over schools, teachers and families."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.joint_pass.respelling import respell
from pipeline.joint_pass.votes import Member, Respelling, with_changes
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading, SubmissionRecord

WRITTEN = (
    "Juniper Hills Elementary School",
    "Juniper Hills Elem.",
    "juniper hills elementary",
    "Juniper Hills School",
)


def member(
    key: object, source: Source = Source.OCR, file: str = "stack.pdf", confidence: float = 0.7, **values: str
) -> Member:
    readings = {
        name: FieldReading(value=value, confidence=confidence, source=source, method="zone")
        for name, value in values.items()
    }
    return Member(SubmissionRecord(submission_id=str(key), readings=readings, **values), file)


def schools(*names: str, **given: object) -> list[Member]:
    return [member(f"{number:03d}", school_name=name, **given) for number, name in enumerate(names)]


def after(changes: dict[str, list[Respelling]], key: str) -> list[str]:
    return [change.after for change in changes.get(key, [])]


def test_a_school_one_letter_off_is_spelled_as_in_the_others() -> None:
    changes = respell([*schools(*WRITTEN), member("off", school_name="Junlper Hilis Elem.")])
    (change,) = changes["off"]
    assert change.after == "Juniper Hills Elem."
    assert (change.before, change.support) == ("Junlper Hilis Elem.", 4)
    assert change.way == {"code": "way_as_in_file", "params": {"count": 4}}
    assert list(changes) == ["off"]


def test_capitals_stay_capitals() -> None:
    changes = respell([*schools(*WRITTEN), member("off", school_name="JUNLPER HILLS ELEMENTARY")])
    assert after(changes, "off") == ["JUNIPER HILLS ELEMENTARY"]


def test_typed_text_and_sure_readings_stay() -> None:
    typed = member("typed", Source.TEXT_LAYER, school_name="Junlper Hills School")
    sure = member("sure", confidence=0.97, school_name="Junioer Hills School")
    assert respell([*schools(*WRITTEN), typed, sure]) == {}


def test_two_similar_schools_both_stand() -> None:
    assert respell(schools(*["Oak Hill School"] * 9, "Oak Mill School", "Oak Mill School")) == {}
    assert respell(schools(*["Oak Hill School"] * 9, "Oak Mill School")) == {}


def test_numbers_are_never_changed_and_never_mixed() -> None:
    assert respell(schools(*["PS 12"] * 9, "PS 13")) == {}
    changes = respell(schools(*["PS 12 Lincoln"] * 9, "PS 13 Linceln"))
    assert changes == {}


def test_what_stands_in_two_entries_is_never_overruled() -> None:
    assert respell(schools(*["Juniper Hills"] * 12, "Junlper Hills", "Junlper Hills")) == {}


def test_two_entries_alone_overrule_nothing_but_with_the_register_they_do() -> None:
    few = [
        *schools("Juniper Hills School", "Juniper Hills Elementary"),
        member("off", school_name="Junlper Hills School"),
    ]
    assert respell(few) == {}
    assert after(respell(few, ["Juniper Hills Elementary School"]), "off") == ["Juniper Hills School"]


def test_two_spellings_that_are_as_near_leave_the_value() -> None:
    votes = schools(*["Corbel Park"] * 5, *["Corbin Park"] * 5)
    assert respell([*votes, member("off", school_name="Corbll Park")]) == {}


def test_another_school_with_the_same_kind_is_no_support() -> None:
    assert respell(schools("Maple Elementary", "Cedar Elementary", "Birch Elementary", "Alder Elementery")) == {}


def test_entries_of_other_files_count_and_are_named_so() -> None:
    others = [*schools("Juniper Hills School", "Juniper Hills Elementary")]
    more = [member(f"b{n}", file=f"b{n}.pdf", school_name="Juniper Hills School") for n in range(2)]
    (change,) = respell([*others, *more, member("off", school_name="Junlper Hills School")])["off"]
    assert change.way == {"code": "way_as_in_upload", "params": {"count": 4}}


def test_a_short_everyday_name_stays_as_it_was_written() -> None:
    full = ["Eli Whitney Elementary School"] * 3
    assert respell([*schools(*full), member("off", school_name="Whitney")]) == {}
    assert after(respell([*schools(*full), member("off", school_name="Wnitney")]), "off") == ["Whitney"]


def test_what_is_cut_from_a_kind_of_school_is_completed() -> None:
    full = ["Gristmill Elementary School"] * 4
    assert after(respell([*schools(*full), member("off", school_name="Gristmill entary")]), "off") == [full[0]]


def test_spaces_within_and_between_words_are_set_without_a_flag() -> None:
    votes = schools(*["Morning Glory Primary School"] * 4)
    (pieces,) = respell([*votes, member("off", school_name="Morning Glory Pri mary School")])["off"]
    (joined,) = respell([*votes, member("off", school_name="MorningGlory Primary")])["off"]
    assert (pieces.after, joined.after) == ("Morning Glory Primary School", "Morning Glory Primary")
    assert pieces.carried and joined.carried


def test_a_short_name_that_two_schools_have_stands() -> None:
    two = ["Eli Whitney Elementary School"] * 4 + ["Whitney Park Elementary School"] * 2
    assert respell([*schools(*two), member("off", school_name="Whitney")]) == {}


def test_many_overrule_a_bad_misreading_that_several_share() -> None:
    votes = schools(
        *["Brightwater Elementary"] * 8, "Brishtwater Elem.", "Brishtwater School", "Dishwater Elementary"
    )
    assert after(respell(votes), "008") == ["Brightwater Elem."]
    assert after(respell(votes), "009") == ["Brightwater School"]
    assert after(respell(votes), "010") == ["Brightwater Elementary"]


def test_north_is_not_south() -> None:
    assert respell(schools(*["Washington North School"] * 9, "Washington South School")) == {}


def test_a_teacher_is_spelled_alike() -> None:
    named = ["Mrs. Halloran", "Ms Halloran", "Mrs Halloran"]
    votes = [member(n, teacher_name=name) for n, name in enumerate(named)]
    assert after(respell([*votes, member("off", teacher_name="Mrs. Hallorqn")]), "off") == ["Mrs. Halloran"]


def test_the_value_read_stays_beside_the_change_and_applying_again_changes_nothing() -> None:
    off = member("off", school_name="Junlper Hills School")
    changes = respell([*schools(*WRITTEN), off])["off"]
    record = with_changes(off.record, changes)
    reading = record.readings["school_name"]
    assert (record.school_name, reading.disagrees_with) == ("Juniper Hills School", "Junlper Hills School")
    assert reading.way == changes[0].way
    assert with_changes(record, changes) == record


def test_a_reading_that_has_the_value_at_a_second_place_needs_no_flag() -> None:
    off = member("off", school_name="Junlper Hills School")
    off.record.readings["school_name"].disagrees_with = "Juniper Hills School"
    (change,) = respell([*schools(*WRITTEN), off])["off"]
    assert change.carried and change.after == "Juniper Hills School"


def family(child: str, father: str, **sources: Source) -> list[str]:
    readings = {
        name: FieldReading(value=value, confidence=0.7, source=sources.get(name, Source.OCR))
        for name, value in (("student_name", child), ("father_figure_name", father))
    }
    values = {name: reading.value for name, reading in readings.items()}
    record = SubmissionRecord(submission_id="one", readings=readings, **values)
    return [f"{change.field}: {change.after}" for change in respell([Member(record, "one.pdf")]).get("one", [])]


def test_a_father_takes_the_family_name_of_the_child() -> None:
    assert family("Lucia Delgado", "Ramon Delqado") == ["father_figure_name: Ramon Delgado"]
    assert family("Lucia Delgado Reyes", "Ramon Deigado") == ["father_figure_name: Ramon Delgado"]


def test_a_child_takes_that_of_a_father_that_is_surer() -> None:
    typed = {"father_figure_name": Source.TEXT_LAYER}
    assert family("Lucia Delqado", "Ramon Delgado", **typed) == ["student_name: Lucia Delgado"]


def test_a_family_name_in_pieces_or_joined_is_written_as_the_other_person_has_it() -> None:
    assert family("Anika Hallow Ay", "Dale Halloway") == ["student_name: Anika Halloway"]
    assert family("Ramiro Mejía", "Gonzalo Me jía") == ["father_figure_name: Gonzalo Mejía"]
    assert family("Lana Finch", "Harri sonFinch") == ["father_figure_name: Harri son Finch"]


def test_a_name_that_ends_like_another_is_not_parted() -> None:
    assert family("Lucia Real", "Ramon Villareal") == []


def test_names_that_are_no_misreadings_of_each_other_stand() -> None:
    assert family("Lucia Delgado", "Ramon Barton") == []
    assert family("Lucia Delgado", "Lucio Barton") == []
    both = {"father_figure_name": Source.TEXT_LAYER, "student_name": Source.ACROFORM}
    assert family("Lucia Delgado", "Ramon Delgada", **both) == []


NAMES = st.lists(
    st.sampled_from([*WRITTEN, "Junlper Hills", "Juniper Hilis", "Oak Hill", "Oak Mill", "PS 12", "PS 13"]),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(NAMES, st.randoms())
def test_order_and_repetition_change_nothing(names: list[str], chance: object) -> None:
    members = schools(*names)
    expected = respell(members)
    again = [*members, *members[: len(members) // 2]]
    chance.shuffle(again)  # type: ignore[attr-defined]
    assert respell(again) == expected


STRANGERS = (
    "Marigold Prep", "Stonebridge Academy", "Tulip Charter", "Kestrel Middle School", "Cobalt High School",
    "Lantern Montessori", "PS 118", "Escuela Girasol", "Whitfield Elementary", "Orchard Glen Primary",
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from(STRANGERS)), st.sets(st.sampled_from(STRANGERS)))
def test_strangers_change_nothing(first: set[str], second: set[str]) -> None:
    assert respell(schools(*first, *sorted(second - first))) == {}


def test_changes_are_given_for_the_entries_asked_for_and_decided_by_all() -> None:
    members = [
        *schools(*WRITTEN),
        member("off", school_name="Junlper Hills"),
        member("odd", school_name="Junioer Hills"),
    ]
    every = respell(members)
    assert every.keys() == {"off", "odd"}
    assert respell(members, only=["off"]) == {"off": every["off"]}
    assert respell(members, only=["000"]) == {}
