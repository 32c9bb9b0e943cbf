from pathlib import Path

import pytest

from core.errors import ConfigurationError
from pipeline.profiles import PrintedRole, all_profiles, form_profiles, freeform_profile, read_profile
from pipeline.schema import FIELD_NAMES

KEYS = {"ifi_2022", "ifi_2023", "ifi_2025", "ifi_2025_essay_page", "ifi_2026", "freeform"}


def test_the_built_in_profiles() -> None:
    assert set(all_profiles()) == KEYS
    assert freeform_profile().key not in {p.key for p in form_profiles()}


@pytest.mark.parametrize("key", sorted(KEYS))
def test_profiles_name_fields_of_the_record(key: str) -> None:
    profile = all_profiles()[key]
    assert set(profile.fields) <= set(FIELD_NAMES)
    assert {p.field for p in profile.printed if p.field} <= set(profile.fields)


@pytest.mark.parametrize("profile", form_profiles(), ids=lambda p: p.key)
def test_every_zone_lies_on_the_form_and_has_a_label(profile) -> None:  # type: ignore[no-untyped-def]
    labelled = {p.field for p in profile.printed if p.role is PrintedRole.LABEL}
    for name, spec in profile.fields.items():
        assert spec.zone is not None
        assert 0 <= spec.zone.x0 < spec.zone.x1 <= 612
        assert 0 <= spec.zone.y0 < spec.zone.y1 <= 792
        assert name in labelled or name in ("essay_text", "parent_reaction")


def test_a_form_that_asks_for_less_has_less() -> None:
    assert "grade" in all_profiles()["ifi_2025"].fields
    assert "grade" not in all_profiles()["ifi_2023"].fields
    assert not any(p.field == "grade" for p in all_profiles()["ifi_2023"].printed)


def test_a_broken_profile_is_named(tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text("key = ", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="odd"):
        read_profile("odd", tmp_path)
