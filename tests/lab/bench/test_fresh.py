"""Measurements run in processes of their own."""

from __future__ import annotations

import os

import pytest

from lab.bench.fresh import fresh


def test_another_process() -> None:
    assert fresh("os:getpid") != os.getpid()


def test_arguments_and_answers() -> None:
    assert fresh("operator:add", [1], [2]) == [1, 2]


def test_a_failure_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="operator:truediv"):
        fresh("operator:truediv", 1, 0)
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_settings_of_one_process() -> None:
    assert fresh("os:getenv", "OCR_DPI", settings={"OCR_DPI": "200"}) == "200"
    assert fresh("os:getenv", "OCR_DPI") is None
