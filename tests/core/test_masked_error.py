"""An exception is recorded by its classes and places, never by what it says."""

from __future__ import annotations

import json

import pytest

from core.errors import StorageError
from core.tracing.log import masked, traceback_text


def raised() -> BaseException:
    """Errors that quote, one of another; the last one of ours."""
    try:
        try:
            raise ValueError("canary Marisol Quintero")
        except ValueError as exc:
            raise StorageError("canary 555-0100") from exc
    except StorageError as error:
        return error


def test_the_cause_comes_first_and_codes_are_kept() -> None:
    first, last = masked(raised())
    assert (first["kind"], first["code"]) == ("ValueError", None)
    assert (last["kind"], last["code"]) == ("core.errors.StorageError", "storage_error")
    assert last["frames"][-1][0] == "tests/core/test_masked_error.py" and last["frames"][-1][2] == "raised"


def test_nothing_that_was_said_is_left() -> None:
    errors = masked(raised())
    assert "canary" not in json.dumps(errors) and "canary" not in traceback_text(errors)
    assert traceback_text(errors).splitlines()[-1] == "core.errors.StorageError: storage_error"


def test_packages_are_named_without_the_place_of_this_machine() -> None:
    with pytest.raises(TypeError) as found:
        pytest.approx("a", rel="b") == 1.0  # noqa: B015 - it raises within the package
    files = [file for error in masked(found.value) for file, _, _ in error["frames"]]
    assert any(file.startswith("_pytest/") for file in files) and not [file for file in files if file[0] == "/"]


def test_a_circle_of_causes_ends() -> None:
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    assert [error["kind"] for error in masked(one)] == ["KeyError", "ValueError"]
