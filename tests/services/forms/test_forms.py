"""Forms in the database: versions, what is in use, TOML, and what is refused."""

from __future__ import annotations

import resource
import uuid
from random import Random
from typing import Any

import pytest
import sqlalchemy.exc
from sqlalchemy import text

from core.errors import ConflictError, InvalidInputError
from core.messages import Message, say
from core.models import FormProfile, FormStatus
from pipeline.profiles import (
    FieldKind,
    FormSpec,
    all_profiles,
    field_label,
    fields_of_form,
    known_profile,
    use_profiles,
)
from pipeline.profiles.catalogue import FILES_ALONE
from pipeline.profiles.form import MOST_PRINTED
from pipeline.schema import FIELD_NAMES
from services.context import Context
from services.forms.check_form import check_form, definition_of
from services.forms.in_use import load_forms
from services.forms.versions import (
    blank_pdf,
    export_toml,
    form_version,
    import_toml,
    list_forms,
    put_into_use,
    retire_form,
    save_version,
)
from services.messages.entries import FormRefused
from tests.support.site import person
from tests.support.small_form import PADDLE_DAY


def changed(profile: FormSpec, **parts: Any) -> FormSpec:
    return FormSpec.model_validate({**profile.model_dump(mode="json"), **parts})


def without(field: str) -> FormSpec:
    whole = PADDLE_DAY.model_dump(mode="json")
    return changed(
        PADDLE_DAY,
        fields={name: spec for name, spec in whole["fields"].items() if name != field},
        printed=[printed for printed in whole["printed"] if printed["field"] != field],
    )


def test_a_saved_form_is_in_use_and_its_former_version_known(context: Context) -> None:
    admin = person(context, "admin", display_name="Ada Novak").id
    before = len(FIELD_NAMES)
    first = save_version(context, admin, PADDLE_DAY, b"%PDF-1.7 empty")
    assert (first.version, first.status, first.made_by) == (1, FormStatus.ACTIVE, "Ada Novak")
    assert all_profiles()["paddle_day"] == PADDLE_DAY.model_copy(update={"version": 1})
    assert field_label("locker_code", "es") == "Casillero" and len(FIELD_NAMES) == before + 3

    second = save_version(context, admin, without("locker_code"), based_on=1)
    assert second.version == 2 and blank_pdf(context, second) == b"%PDF-1.7 empty"
    assert fields_of_form("paddle_day") == ("paddler_name", "boat")
    assert fields_of_form("paddle_day", 1) == ("paddler_name", "locker_code", "boat")
    assert field_label("locker_code", "en") == "Locker"
    assert [one.status for one in list_forms(context)[0].versions] == [FormStatus.ACTIVE, FormStatus.RETIRED]
    with pytest.raises(ConflictError):
        save_version(context, admin, PADDLE_DAY, based_on=1)


def test_another_process_takes_up_what_was_saved_and_retired(context: Context) -> None:
    save_version(context, None, PADDLE_DAY)
    use_profiles((), FILES_ALONE)
    load_forms(context)
    assert "paddle_day" in all_profiles()
    retire_form(context, None, "paddle_day")
    assert "paddle_day" not in all_profiles() and known_profile("paddle_day") is not None
    with pytest.raises(ConflictError):
        retire_form(context, None, "paddle_day")
    assert put_into_use(context, None, "paddle_day").status is FormStatus.ACTIVE
    assert "paddle_day" in all_profiles()


def test_a_draft_is_not_in_use_until_it_is_put_there(context: Context) -> None:
    save_version(context, None, PADDLE_DAY, draft=True)
    assert "paddle_day" not in all_profiles()
    assert form_version(context, "paddle_day").status is FormStatus.DRAFT
    put_into_use(context, None, "paddle_day", 1)
    assert all_profiles()["paddle_day"].version == 1


def test_a_version_never_changes(context: Context) -> None:
    save_version(context, None, PADDLE_DAY)
    with pytest.raises(sqlalchemy.exc.ProgrammingError), context.database.session() as session:
        session.execute(text("update form_profiles set definition = '{}'"))


def test_toml_carries_a_form_whole() -> None:
    assert import_toml(export_toml(PADDLE_DAY)) == PADDLE_DAY
    for profile in all_profiles().values():
        assert import_toml(export_toml(profile)) == profile


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"key": "freeform"}, "form_key_taken"),
        ({"key": "Über"}, "form_key_malformed"),
        ({"fields": {}, "printed": []}, "form_no_fields"),
        ({"fields": {"student_name": {"kind": "grade"}}, "printed": []}, "form_field_kind"),
        ({"fields": {"readings": {"kind": "text"}}, "printed": []}, "form_field_reserved"),
        ({"fields": {"word_count": {"kind": "text"}}, "printed": []}, "form_field_reserved"),
        ({"fields": {"story": {"kind": "essay"}}, "printed": []}, "form_field_text"),
        ({"fields": {"boat": {"kind": "choice"}}, "printed": []}, "form_field_options"),
        ({"fields": {"boat": {"kind": "text"}}}, "form_field_unknown"),
        ({"fields": {"boat": {"kind": "text"}}, "printed": []}, "form_nothing_printed"),
    ],
)
def test_what_cannot_be_used_is_refused(context: Context, parts: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        save_version(context, None, changed(PADDLE_DAY, **parts))
    assert refused.value.message.code == code


def test_two_forms_agree_on_what_a_field_is(context: Context) -> None:
    save_version(context, None, PADDLE_DAY)
    fields = {**PADDLE_DAY.model_dump(mode="json")["fields"], "locker_code": {"kind": FieldKind.NUMBER}}
    with pytest.raises(InvalidInputError):
        save_version(context, None, changed(PADDLE_DAY, key=f"other_{uuid.uuid4().hex[:8]}", fields=fields))


def toml_with(*replaced: tuple[str, str]) -> str:
    text = export_toml(PADDLE_DAY)
    for before, after in replaced:
        assert before in text
        text = text.replace(before, after)
    return text


_PATTERN = 'pattern = "[A-Z]{2}-[0-9]{3}"'


@pytest.mark.parametrize(
    "toml",
    [
        ".".join(["a"] * 40_000) + " = 1",
        "a = " + "[" * 100_000,
        "a = " + "9" * 100_000,
        f"page = [612, 0x{'f' * 5000}]\n" + export_toml(PADDLE_DAY),
        "page = [0, 0]\n" + export_toml(PADDLE_DAY),
        "page = [nan, inf]\n" + export_toml(PADDLE_DAY),
        "page = [5e-324, 792]\n" + export_toml(PADDLE_DAY),
        "page = [2026-01-01, 12:00:00]\n" + export_toml(PADDLE_DAY),
        export_toml(PADDLE_DAY) + "[[ignore]]\nzone = [1, 2]\n",
        export_toml(PADDLE_DAY) + "[[ignore]]\nzone = [nan, -inf, inf, 1]\n",
        export_toml(PADDLE_DAY) + "[[ignore]]\nzone = [1, 2, 1, 2]\n",
        export_toml(PADDLE_DAY) + f"[[ignore]]\nzone = [1, 2, 1{'0' * 4000}, 3]\n",
        export_toml(PADDLE_DAY) + '[[printed]]\nrole = "note"\ntexts = []\n',
        toml_with(("Paddle day", "Paddle\\u0000day")),
        toml_with(("Paddle day", "Paddle day" * 1000)),
        export_toml(PADDLE_DAY) + "".join(f'[fields.a{n}]\nkind = "text"\n' for n in range(1000)),
        export_toml(PADDLE_DAY) + f'[fields.{"a" * 100_000}]\nkind = "text"\n',
        toml_with((_PATTERN, 'pattern = "(((a{9999}){9999}){9999})"')),
        toml_with((_PATTERN, 'pattern = "(?x)(a{9 9 9 9}){9 9 9 9}"')),
        toml_with((_PATTERN, 'pattern = "("')),
    ],
)
def test_toml_that_would_break_what_uses_it_is_refused_with_a_sentence(context: Context, toml: str) -> None:
    """By the form's import or, at the latest, where it is saved; whatever it costs is taken in a child."""
    with pytest.raises(InvalidInputError) as refused:
        save_version(context, None, import_toml(toml))
    assert refused.value.message is not None and len(say(refused.value.told)) < 600
    assert list_forms(context) == []


def test_a_pattern_that_is_short_and_costs_much_is_compiled_in_a_child_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Should its bound ever be got around, a child with limits says so, and no other process compiles it."""
    monkeypatch.setattr("pipeline.profiles.form.LONGEST_WRITTEN_OUT", 10**12)
    forms = FormSpec.model_validate(
        {
            **PADDLE_DAY.model_dump(mode="json"),
            "fields": {"paddler_name": {"kind": "person", "pattern": "(((a{999}){999}){999})"}},
            "printed": [{"role": "title", "texts": ["Paddle day"]}],
        }
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InvalidInputError):
        check_form(forms)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000, "kilobytes"


def test_a_form_by_which_no_page_can_be_read_is_not_taken(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the reason: what a page is read with is tried before the form is used."""
    monkeypatch.setattr("services.forms.check_form.MOST_PRINTED", 10**9)
    costly = [
        {"role": "label", "field": "boat", "at": [1, 2 + n, 3, 4 + n], "texts": ["locker code " * 400] * 200}
        for n in range(200)
    ]
    whole = PADDLE_DAY.model_dump(mode="json")
    with pytest.raises(InvalidInputError) as refused:
        save_version(context, None, changed(PADDLE_DAY, printed=[*whole["printed"], *costly]))
    assert refused.value.message is not None and refused.value.message.code == FormRefused.TOO_COSTLY
    assert list_forms(context) == []


@pytest.mark.parametrize(
    "many",
    [
        {"role": "label", "field": "boat", "texts": ["locker code " * 400]},
        {"role": "prompt", "texts": ["locker code"] * 200},
        {"role": "rule", "texts": ["locker code " * 20], "whole_line": True, "repeat": True},
    ],
)
def test_a_form_prints_no_more_than_a_sheet_has_room_for(context: Context, many: dict[str, Any]) -> None:
    """Counted over all of its texts: long ones, aliases, and those that stand there again."""
    whole = PADDLE_DAY.model_dump(mode="json")["printed"]
    with pytest.raises(InvalidInputError) as refused:
        save_version(context, None, changed(PADDLE_DAY, printed=[*whole, *[many] * 100]))
    assert refused.value.message == Message.of(FormRefused.PRINTS_TOO_MUCH, limit=MOST_PRINTED)
    assert list_forms(context) == []
    assert all(form.printed_characters < MOST_PRINTED / 5 for form in all_profiles().values())


def test_a_form_that_costs_much_on_a_full_page_alone_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its texts have no places, so that a page on which it is filled in has hardly a word."""
    monkeypatch.setattr("services.forms.check_form.MOST_PRINTED", 10**9)
    monkeypatch.setattr("services.forms.check_form._SECONDS", 3.0)
    mixed = Random(3)
    words = ["contest", "invented", "school", "grade", "teacher", "essay", "father", "write"]
    many = [{"role": "prompt", "texts": [" ".join(mixed.choices(words, k=200))]} for _ in range(2000)]
    whole = PADDLE_DAY.model_dump(mode="json")["printed"]
    with pytest.raises(InvalidInputError) as refused:
        check_form(changed(PADDLE_DAY, printed=[*whole, *many]))
    assert refused.value.message is not None and refused.value.message.code == FormRefused.TOO_COSTLY


def test_a_stored_form_that_is_not_taken_any_more_breaks_nothing(context: Context) -> None:
    """As one that was imported before its page had to have a size."""
    save_version(context, None, PADDLE_DAY)
    retire_form(context, None, "paddle_day")
    with context.database.session() as session:
        bad = {**definition_of(PADDLE_DAY), "page": [0, 0]}
        session.add(
            FormProfile(
                key="paddle_day",
                version=2,
                label="Paddle day",
                kind="form",
                definition=bad,
                status=FormStatus.ACTIVE.value,
            )
        )
    use_profiles((), FILES_ALONE)
    load_forms(context)
    assert "paddle_day" not in all_profiles() and known_profile("paddle_day", 1) is not None
    ((second, first),) = [form.versions for form in list_forms(context)]
    assert not second.profile.fields and first.profile.fields
    assert export_toml(form_version(context, "paddle_day").profile)
    retire_form(context, None, "paddle_day")
    with pytest.raises(InvalidInputError):
        put_into_use(context, None, "paddle_day", 2)
    assert save_version(context, None, PADDLE_DAY).version == 3


def test_toml_that_is_no_form_names_what_is_wrong() -> None:
    with pytest.raises(InvalidInputError, match="not a form in TOML"):
        import_toml("key = ")
    broken = export_toml(PADDLE_DAY).replace('pattern = "[A-Z]{2}-[0-9]{3}"', 'pattern = "("')
    with pytest.raises(InvalidInputError) as refused:
        import_toml(broken)
    assert "locker_code" in str(refused.value.message.params)
