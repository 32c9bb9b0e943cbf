"""How many audits are wanting before a precision may be stated. Pure."""

from __future__ import annotations

import math

from services.trust.wilson import Share, wilson

#: An interval that is wider is shown with the number of audits that are wanting.
WIDEST = 0.03
#: Share that is assumed while nothing was judged.
_ASSUMED = 0.98
_MOST = 1 << 20


def audits_needed(share: float, width: float = WIDEST) -> int:
    """Return the least number of equally weighted audits whose Wilson interval is no wider than `width`.

    Raises ValueError unless 0 < width < 1.
    """
    if not 0 < width < 1:
        raise ValueError(f"no width of an interval: {width}")
    low, high = 0, 1
    while wilson(share, high).width > width and high < _MOST:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if wilson(share, middle).width > width:
            low = middle
        else:
            high = middle
    return high


def audits_wanting(found: Share, width: float = WIDEST) -> int:
    """Return how many audits more would narrow the interval to `width`, if they come out as those so far."""
    if found.value is not None and found.interval.width <= width:
        return 0
    missing = audits_needed(_ASSUMED if found.value is None else found.value, width) - found.effective
    # Audits of unequal weight say less than their number.
    return max(1, math.ceil(missing * (found.judged / found.effective if found.effective else 1.0)))
