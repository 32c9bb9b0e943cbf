"""The profiles in use, and what is cached of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipeline.extraction.model_fields import all_options
from pipeline.extraction.values.names import label_words
from pipeline.profiles import (
    FieldKind,
    FieldNames,
    all_profiles,
    field_kind,
    field_meanings,
    fields_of_form,
    known_forms,
    known_profile,
    use_profiles,
)
from pipeline.profiles.catalogue import FILES_ALONE, by_generation, trying
from pipeline.profiles.form import checked_pattern, compiled, matches, written_out
from pipeline.schema import FIELD_NAMES, SubmissionRecord
from pipeline.validation.policy import DEFAULT_REQUIRED, Policy
from tests.support.small_form import PADDLE_DAY, files_alone_afterwards

FIRST = PADDLE_DAY.model_copy(update={"version": 1})


@pytest.fixture(autouse=True)
def no_forms_left() -> Iterator[None]:
    with files_alone_afterwards():
        yield


def test_every_cache_follows_the_profiles_in_use() -> None:
    before = (len(FIELD_NAMES), all_options("boat"), label_words(FieldKind.SCHOOL), field_meanings())
    assert "locker" not in before[2]
    use_profiles([FIRST], "one")
    assert field_kind("locker_code") is FieldKind.TEXT and "paddler_name" in FieldNames(FieldKind.PERSON)
    assert all_options("boat") == ("Canoe", "Kayak") and "locker" in label_words(FieldKind.SCHOOL)
    assert field_meanings()["paddler_name"] == "who comes along"
    assert SubmissionRecord(submission_id="one").value_of("boat") is None
    # A school of a form of the files may be called what another form prints.
    assert "locker" not in label_words(FieldKind.SCHOOL, "freeform")
    use_profiles([], "two", [FIRST])
    assert "paddle_day" not in all_profiles() and "paddle_day" in known_forms() and known_profile("paddle_day", 1)
    use_profiles([], FILES_ALONE)
    assert before == (len(FIELD_NAMES), all_options("boat"), label_words(FieldKind.SCHOOL), field_meanings())


def test_a_form_that_is_tried_is_known_to_nobody_else() -> None:
    computed = []

    @by_generation
    def keys() -> tuple[str, ...]:
        computed.append(tuple(all_profiles()))
        return computed[-1]

    with trying(FIRST):
        assert "paddle_day" in keys() and "paddle_day" in keys()
    assert "paddle_day" not in keys() and len(computed) == 2


def test_what_an_entry_needs_is_what_season_or_form_say() -> None:
    use_profiles([FIRST], "one")
    assert Policy().required_for(None, "paddle_day", 1) == ("paddler_name", "locker_code")
    season = Policy(required_by_form={"paddle_day": ("boat",), "ifi_2026": ("grade",)})
    assert season.required_for(None, "paddle_day", 1) == ("boat",)
    assert season.required_for(None, "ifi_2026") == ("grade",)
    assert Policy().required_for(None, "ifi_2026") == DEFAULT_REQUIRED
    plain = {name: spec.model_copy(update={"required": None}) for name, spec in FIRST.fields.items()}
    use_profiles([FIRST.model_copy(update={"fields": {**plain, "grade": FIRST.fields["boat"]}})], "two")
    assert Policy().required_for(None, "paddle_day", 1) == ("grade",)


def test_the_fields_of_an_entry_are_those_of_its_form() -> None:
    use_profiles([FIRST], "one")
    assert fields_of_form("paddle_day", 1) == ("paddler_name", "locker_code", "boat")
    assert fields_of_form("ifi_2023") == fields_of_form(None) and "boat" not in fields_of_form(None)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "x" * 201,
        "(((a{9999}){9999}){9999})",
        r"(?:\w{1,200}[)}]\)){2,200}",
        "(?:(?:a{3}){,400}b){20}",
        "(?x)a{9 9 9 9}",
        "(a{9999}(?#()){9}",
        "(?V1)a[[b](]",
        "a(?R)?",
    ],
)
def test_a_pattern_is_checked(pattern: str) -> None:
    """Neither its length nor what it repeats is without bound, and nothing hides what it repeats."""
    with pytest.raises(ValueError, match="a pattern"):
        checked_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "characters"),
    [
        ("[A-Z]{2}-[0-9]{3}", 6),
        (r"\w{1,50} \w{1,50}", 101),
        (r"(?i)\p{L}+(?:[- ]\p{L}+){0,3}", 27),
        (r"[]{9}]{3}\{[[:alpha:](]{2,}", 6),
        ("(?P<day>3[01]|[12]?[0-9])", 11),
    ],
)
def test_what_a_pattern_repeats_is_counted_as_it_is_written_out(pattern: str, characters: int) -> None:
    assert checked_pattern(pattern) == pattern
    assert written_out(pattern) == pytest.approx(characters, abs=12)
    compiled(pattern)


def test_a_pattern_matches_whole_values_within_its_time() -> None:
    assert matches("[A-Z]{2}-[0-9]{3}", "AB-123") and not matches("[A-Z]{2}-[0-9]{3}", "AB-1234")
    assert not matches("(a|aa)+$", "a" * 300 + "!")
