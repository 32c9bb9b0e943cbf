"""A draft from the blank to the version: marks, who was faster, the way back, what is wrong, what changes."""

from __future__ import annotations

import uuid

import pytest

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.messages import say
from lab.samples.camp.collection import blank_forms
from pipeline.blanks.marks import FieldMark, FormMarks, OptionMark
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind
from services.context import Context
from services.form_studio.blank import read_blank
from services.form_studio.draft import (
    DraftChangedError,
    begin_draft,
    begin_next_version,
    change_draft,
    choose_page,
    find_draft,
    folder_of_draft,
    remove_draft,
    retry_draft,
    save_draft,
    saving_of,
    undo_draft_change,
)
from services.form_studio.problems import mark_problems
from services.forms.versions import export_toml, form_version, import_toml
from services.recovery.kinds import BLANKS
from services.recovery.work import fail_work
from tests.support.site import person
from web.admin.forms import SIDES, typed_marks

CAMP = blank_forms()["camp-blank-flat.pdf"]


@pytest.fixture
def admin(context: Context) -> uuid.UUID:
    return person(context, "admin", display_name="Ada Novak").id


@pytest.fixture
def draft(context: Context, admin: uuid.UUID) -> uuid.UUID:
    draft_id = begin_draft(context, admin, "camp.pdf", CAMP)
    assert read_blank(context, draft_id) and not read_blank(context, draft_id)
    return draft_id


def marks_of(context: Context, draft_id: uuid.UUID) -> FormMarks:
    marks = find_draft(context, draft_id).marks
    assert marks is not None
    return marks


def named(marks: FormMarks, **changes: object) -> FormMarks:
    return marks.model_copy(update={"key": "summer_camp", "label": "Summer camp", **changes})


def test_the_second_is_told_and_every_change_can_be_taken_back(
    context: Context, admin: uuid.UUID, draft: uuid.UUID
) -> None:
    other = person(context, "admin", display_name="Ben Okoro").id
    first = marks_of(context, draft)
    assert len(first.fields) == 17 and find_draft(context, draft).version == 1
    assert change_draft(context, admin, draft, first, 1) == 1, "the same marks are no change"
    assert change_draft(context, admin, draft, named(first), 1) == 2
    with pytest.raises(DraftChangedError) as refused:
        change_draft(context, other, draft, named(first, label="Mine"), 1)
    assert refused.value.version == 2 and "Ada Novak" in say(refused.value.told)
    assert change_draft(context, other, draft, named(first, label="Mine"), 2) == 3
    assert undo_draft_change(context, admin, draft, 3) == 4 and marks_of(context, draft).label == "Summer camp"
    assert undo_draft_change(context, admin, draft, 4) == 5 and marks_of(context, draft) == first
    with pytest.raises(ConflictError):
        undo_draft_change(context, admin, draft, 5)
    with pytest.raises(InvalidInputError):
        choose_page(context, draft, 2)


def test_what_is_wrong_is_said_where_it_is() -> None:
    zone = Box(10, 10, 100, 30)
    option = OptionMark(value="Yes", texts=("Yes",), at=Box(60, 50, 80, 60))
    marks = FormMarks(
        key="Camp",
        label="Camp",
        fields=(
            FieldMark(key="child", zone=zone),
            FieldMark(key="child", zone=Box(600, 10, 640, 30)),
            FieldMark(key="age", required=True, pattern="["),
            FieldMark(key="swims", kind=FieldKind.CHOICE, options=(option,), required=True),
            FieldMark(key="town", zone=Box(20, 12, 90, 28)),
            FieldMark(zone=Box(200, 200, 260, 202)),
        ),
    )
    found = [(one.part, one.message.code) for one in mark_problems(marks)]
    assert found == [
        ("form", "draft_key_malformed"),
        ("form", "draft_nothing_printed"),
        ("field-0", "draft_key_twice"),
        ("field-1", "draft_outside"),
        ("field-2", "draft_pattern_malformed"),
        ("field-2", "draft_no_zone"),
        ("field-3-option-0", "draft_option_without_mark"),
        ("field-5", "draft_field_without_key"),
        ("field-5", "draft_too_small"),
        ("field-4", "draft_zones_overlap"),
    ]


def test_patterns_of_the_studio_take_the_same_road_as_those_of_files() -> None:
    zone = Box(10, 10, 100, 30)
    for pattern in ("(((a{9999}){9999}){9999})", "(", "x" * 300, "(?x)a{9 9}"):
        marks = FormMarks(key="camp", label="Camp", fields=(FieldMark(key="child", zone=zone, pattern=pattern),))
        assert ("field-0", "draft_pattern_malformed") in [
            (one.part, one.message.code) for one in mark_problems(marks)
        ]


@pytest.mark.parametrize(
    "changes",
    [
        {"label": "Camp " * 1000},
        {"label": "Camp\x00"},
        {"fields": (FieldMark(key="child", meaning="a" * 6000),)},
        {"ignore": (Box(5, 5, 1, 1),)},
        {"page": (1e308, 1e308)},
    ],
)
def test_what_no_form_may_have_is_a_problem_of_the_draft(
    context: Context, draft: uuid.UUID, changes: dict[str, object]
) -> None:
    """Not an error of its page."""
    marks = named(marks_of(context, draft), **changes)
    assert [one.part for one in mark_problems(marks)] != []


@pytest.mark.parametrize("side", ["nan", "inf", "-inf", "1e999"])
def test_a_place_has_numbers(side: str) -> None:
    with pytest.raises(InvalidInputError):
        typed_marks({"field-0-key": "a", **{f"field-0-zone-{one}": side for one in SIDES}}, (612.0, 792.0))


def test_a_draft_is_saved_as_a_version_that_says_what_it_changes(
    context: Context, admin: uuid.UUID, draft: uuid.UUID
) -> None:
    with pytest.raises(ConflictError):
        save_draft(context, admin, draft, 1)
    change_draft(context, admin, draft, named(marks_of(context, draft)), 1)
    with pytest.raises(DraftChangedError):
        save_draft(context, admin, draft, 1)
    assert saving_of(context, draft).before is None
    saved = save_draft(context, admin, draft, 2)
    assert (saved.key, saved.version) == ("summer_camp", 1) and saved.profile.page == (792.0, 612.0)
    assert not find_draft(context, draft).changed_since
    assert import_toml(export_toml(saved.profile)) == saved.profile.model_copy(update={"version": None})

    second = begin_next_version(context, admin, "summer_camp")
    read_blank(context, second)
    marks = marks_of(context, second)
    assert saving_of(context, second).changes == []
    name, age = marks.fields[0], marks.fields[3]
    changed = (
        name.model_copy(update={"required": True, "zone": Box(38, 100, 394, 135)}),
        *marks.fields[1:3],
        age.model_copy(update={"kind": FieldKind.TEXT}),
        *marks.fields[4:16],
    )
    change_draft(context, admin, second, marks.model_copy(update={"fields": changed, "label": "Camp"}), 1)
    assert [one.message.code for one in saving_of(context, second).problems] == ["draft_print_of_no_field"]
    printed = tuple(one for one in marks.printed if one.field != "date")
    fixed = marks.model_copy(update={"fields": changed, "label": "Camp", "printed": printed})
    change_draft(context, admin, second, fixed, 2)
    assert [say(change) for change in saving_of(context, second).changes] == [
        "Name: Summer camp, now Camp",
        "Field removed: date",
        "student_name: now required",
        "student_name: zone moved",
        "age: Number, now Text",
        "Printed text removed: Date / Fecha",
    ]
    assert save_draft(context, admin, second, 3).version == 2
    # The first draft was made of nothing; it would be version 3 now, and says how it differs from version 2.
    assert "form_change_field_added" in [one.code for one in saving_of(context, draft).changes]
    assert form_version(context, "summer_camp", 1).profile.label == "Summer camp"


def test_a_file_that_is_no_form_fails_and_a_draft_goes_with_its_files(
    context: Context, admin: uuid.UUID, draft: uuid.UUID
) -> None:
    from core.errors import NotADocumentError

    bad = begin_draft(context, admin, "notes.pdf", b"no form at all")
    with pytest.raises(NotADocumentError) as refused:
        read_blank(context, bad)
    fail_work(context, BLANKS, bad, refused.value)
    assert find_draft(context, bad).status == "failed"
    retry_draft(context, bad)
    assert find_draft(context, bad).working
    remove_draft(context, draft)
    assert list(context.store.older_keys(folder_of_draft(draft), -1)) == []
    with pytest.raises(NotFoundError):
        remove_draft(context, draft)
