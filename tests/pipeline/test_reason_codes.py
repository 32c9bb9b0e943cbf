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
