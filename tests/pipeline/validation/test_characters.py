from __future__ import annotations

from pipeline.reason_codes import blocking
from pipeline.schema import SubmissionRecord
from pipeline.validate import validate_record
from pipeline.validation.policy import Policy, character_count, character_limits


def test_counted_as_forms_count() -> None:
    assert character_count("  a b,\r\nc\n") == 6
    assert character_count("e\u0301") == character_count("é") == 1
    assert character_count(" \n ") == 0


def test_limits_come_from_the_form_and_the_season_goes_before() -> None:
    assert character_limits("ifi_2023", None, Policy()) == {"essay_text": 3000, "parent_reaction": 2000}
    assert character_limits("freeform", None, Policy()) == character_limits(None, None, Policy()) == {}
    assert character_limits("ifi_2026", None, Policy(max_essay_characters=500))["essay_text"] == 500


def test_a_text_beyond_the_limit_is_marked_and_does_not_block() -> None:
    def codes(**values: str) -> list[str]:
        record = SubmissionRecord.model_validate({"submission_id": "s", "profile": "ifi_2026", **values})
        return validate_record(record)[0].review_reason_codes

    assert "OVER_LIMIT" not in codes(essay_text="a" * 3000)
    assert "OVER_LIMIT" in codes(essay_text="a" * 3001)
    assert "OVER_LIMIT" in codes(parent_reaction="word " * 500)
    assert blocking(["OVER_LIMIT"]) == []
