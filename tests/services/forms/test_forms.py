"""Forms in the database: versions, what is in use, TOML, and what is refused."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
import sqlalchemy.exc
from sqlalchemy import text

from core.errors import ConflictError, InvalidInputError
from core.models import FormStatus
from pipeline.profiles import FieldKind, Profile, all_profiles, known_profile, use_profiles
from pipeline.profiles.declared import field_label, fields_of_form
from pipeline.profiles.generation import FILES_ALONE
from pipeline.schema import FIELD_NAMES
from services.context import Context
from services.forms.as_toml import export_toml, import_toml
from services.forms.form_version import blank_pdf, form_version
from services.forms.list_forms import list_forms
from services.forms.load_forms import load_forms
from services.forms.retire_form import bring_back, retire_form
from services.forms.save_version import save_version
from tests.support.site import person
from tests.support.small_form import PADDLE_DAY


def changed(profile: Profile, **parts: Any) -> Profile:
    return Profile.model_validate({**profile.model_dump(mode="json"), **parts})


def without(field: str) -> Profile:
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
    assert bring_back(context, None, "paddle_day").status is FormStatus.ACTIVE
    assert "paddle_day" in all_profiles()


def test_a_draft_is_not_in_use_until_it_is_put_there(context: Context) -> None:
    save_version(context, None, PADDLE_DAY, draft=True)
    assert "paddle_day" not in all_profiles()
    assert form_version(context, "paddle_day").status is FormStatus.DRAFT
    bring_back(context, None, "paddle_day", 1)
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


def test_toml_that_is_no_form_names_what_is_wrong() -> None:
    with pytest.raises(InvalidInputError, match="not a form in TOML"):
        import_toml("key = ")
    broken = export_toml(PADDLE_DAY).replace('pattern = "[A-Z]{2}-[0-9]{3}"', 'pattern = "("')
    with pytest.raises(InvalidInputError) as refused:
        import_toml(broken)
    assert "locker_code" in str(refused.value.message.params)
