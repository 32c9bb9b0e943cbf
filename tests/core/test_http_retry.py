"""Which refusals pass; Retry-After in both its forms, and what is no Retry-After."""

from datetime import timedelta
from email.utils import format_datetime

import pytest

from core.clock import may_pass, seconds_to_wait, utcnow


@pytest.mark.parametrize(("header", "seconds"), [("0", 0.0), ("12", 12.0), (" 2.5 ", 2.5)])
def test_seconds(header: str, seconds: float) -> None:
    assert seconds_to_wait(header) == seconds


def test_date_ahead() -> None:
    header = format_datetime(utcnow() + timedelta(minutes=2), usegmt=True)
    assert seconds_to_wait(header) == pytest.approx(120, abs=5)


def test_date_past_is_no_wait() -> None:
    assert seconds_to_wait("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0


@pytest.mark.parametrize("header", [None, "", "soon", "-3", "inf", "nan", "Wed, 99 Oct"])
def test_nonsense_is_ignored(header: str | None) -> None:
    assert seconds_to_wait(header) is None


@pytest.mark.parametrize(
    ("status", "passes"),
    [(429, True), (408, True), (500, True), (503, True), (400, False), (401, False), (413, False)],
)
def test_what_another_attempt_may_mend(status: int, passes: bool) -> None:
    assert may_pass(status) is passes
