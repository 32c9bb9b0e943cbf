from __future__ import annotations

import math

import pytest

from services.trust.audit_sample import Counted, drift, leaves


def rows(passed: dict[str, float], entries: int) -> list[Counted]:
    return [
        Counted(form, f"School {place}", "rapidocr", entries, round(share * entries))
        for form, share in passed.items()
        for place in range(3)
    ]


USUAL = {"ifi_2025": 0.7, "ifi_2026": 0.7}


def test_a_week_like_the_month_is_no_alarm() -> None:
    assert drift(rows(USUAL, 40), rows(USUAL, 160)) == []
    assert drift(rows({"ifi_2025": 0.65, "ifi_2026": 0.75}, 40), rows(USUAL, 160)) == []


def test_the_form_to_blame_is_named() -> None:
    found = drift(rows({"ifi_2025": 0.2, "ifi_2026": 0.7}, 40), rows(USUAL, 160))
    assert (found[0].kind, found[0].entries) == (None, 240)
    blamed = next(left for left in found if left.kind == "form")
    assert (blamed.key, blamed.share, blamed.entries) == ("ifi_2025", 0.2, 120)
    assert blamed.usual == pytest.approx(0.7) and blamed.low > 0.2
    assert all(left.key != "ifi_2026" for left in found)


def test_more_than_usual_is_drift_too() -> None:
    assert drift(rows({"ifi_2025": 1.0}, 40), rows({"ifi_2025": 0.5}, 160))[0].share == 1.0


@pytest.mark.parametrize(("week", "month"), [((19, 0), (500, 400)), ((50, 0), (59, 59))])
def test_few_entries_say_nothing(week: tuple[int, int], month: tuple[int, int]) -> None:
    assert leaves(week, month, 3) is None


def test_the_band_is_that_of_two_shares() -> None:
    band = leaves((100, 40), (400, 320), 3)
    share = 321 / 402
    half = 3 * math.sqrt(share * (1 - share) * (1 / 100 + 1 / 400))
    assert band == pytest.approx((0.8 - half, min(1, 0.8 + half)))


def test_a_month_without_failures_is_no_band_of_width_zero() -> None:
    assert leaves((40, 39), (200, 200), 3) is None
    assert leaves((40, 30), (200, 200), 3) is not None
