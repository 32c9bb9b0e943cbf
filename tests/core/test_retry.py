"""Attempts at a service: which errors are repeated, how often, and after how long."""

from __future__ import annotations

import pytest

from core.clock import AttemptLimits
from core.errors import AppError, RecognitionRefusedError, RecognitionUnavailableError


class Service:
    """Raises these errors in order, then answers."""

    def __init__(self, *errors: AppError) -> None:
        self.errors = list(errors)
        self.asked = 0

    def __call__(self) -> str:
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        return "answer"


def test_the_wait_is_what_the_service_asked_for() -> None:
    waits: list[float] = []
    service = Service(RecognitionUnavailableError(retry_after=7), RecognitionUnavailableError())
    assert AttemptLimits(3, 60, waits.append)(service) == "answer"
    assert waits[0] == 7 and 0 < waits[1] <= 8.5


def test_the_last_error_is_raised() -> None:
    last = RecognitionUnavailableError("third")
    service = Service(RecognitionUnavailableError(), RecognitionUnavailableError(), last)
    with pytest.raises(RecognitionUnavailableError) as raised:
        AttemptLimits(3, 60, lambda _: None)(service)
    assert raised.value is last and service.asked == 3


def test_a_refusal_is_not_repeated() -> None:
    service = Service(RecognitionRefusedError())
    with pytest.raises(RecognitionRefusedError):
        AttemptLimits(3, 60, lambda _: None)(service)
    assert service.asked == 1


def test_a_wait_beyond_the_patience_is_left_to_the_caller() -> None:
    service = Service(RecognitionUnavailableError(retry_after=3600))
    with pytest.raises(RecognitionUnavailableError) as raised:
        AttemptLimits(3, 60, lambda _: None)(service)
    assert raised.value.retry_after == 3600 and service.asked == 1
