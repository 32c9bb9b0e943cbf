from __future__ import annotations

import pytest

from services.trust.wanting import audits_needed, audits_wanting
from services.trust.wilson import weighted_share, wilson


@pytest.mark.parametrize("share", [0.5, 0.9, 0.98, 0.995, 1.0])
@pytest.mark.parametrize("width", [0.02, 0.03, 0.1])
def test_one_fewer_would_be_too_wide(share: float, width: float) -> None:
    found = audits_needed(share, width)
    assert wilson(share, found).width <= width
    assert found == 1 or wilson(share, found - 1).width > width


def test_those_made_count() -> None:
    none, some = weighted_share([]), weighted_share([(True, 1.0)] * 49 + [(False, 1.0)])
    assert audits_wanting(none) == audits_needed(0.98)
    assert audits_wanting(some) == audits_needed(0.98) - 50
    assert audits_wanting(weighted_share([(True, 1.0)] * 500)) == 0


def test_of_unequal_weight_more_are_wanting() -> None:
    equal = [(True, 1.0)] * 20
    assert audits_wanting(weighted_share([*equal, (True, 20.0)])) > audits_wanting(weighted_share(equal))


@pytest.mark.parametrize("width", [0.0, 1.0])
def test_no_width(width: float) -> None:
    with pytest.raises(ValueError, match="no width"):
        audits_needed(0.9, width)
