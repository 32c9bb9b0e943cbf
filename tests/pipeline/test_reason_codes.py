from pipeline.reason_codes import ReasonCode, blocking, blocks, reason_info


def test_every_code_tells_the_reviewer_something() -> None:
    for code in ReasonCode:
        label, advice, _ = reason_info(code)
        assert label and advice.endswith(".")


def test_an_unknown_code_blocks() -> None:
    assert blocks("FROM_ANOTHER_VERSION")
    assert reason_info("FROM_ANOTHER_VERSION").label == "From another version"


def test_only_blocking_codes_are_kept() -> None:
    assert blocking(["DOC_TYPE_UNKNOWN", "MISSING_GRADE"]) == ["MISSING_GRADE"]


def test_what_the_form_does_not_ask_for_is_not_sought_on_the_page() -> None:
    for form in ("ifi_2022", "ifi_2023"):
        for code in ("MISSING_GRADE", "MISSING_SCHOOL_NAME"):
            assert "does not ask for" in reason_info(code, form).advice
        assert "on the page" in reason_info("MISSING_STUDENT_NAME", form).advice
    for form in ("ifi_2026", "freeform", None, "from another version"):
        assert "on the page" in reason_info("MISSING_GRADE", form).advice
