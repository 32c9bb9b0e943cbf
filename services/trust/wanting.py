"""How many audits are wanting before a precision is known well enough, and the share to draw until then. Pure."""

from __future__ import annotations

import math
from functools import lru_cache

from services.trust.wilson import Share, wilson

#: A precision is known well enough when half of its interval is no wider: "within three points".
WITHIN = 0.03
#: Share that is assumed while nothing was judged.
_ASSUMED = 0.98
_MOST = 1 << 20
#: However little is known, no larger share of what passes unseen is drawn, unless AUDIT_SHARE is larger.
MOST_SHARE = 0.25
#: Entries over which what is wanting is drawn: as many as there were so far, but at least these.
LEAST_AHEAD = 100


@lru_cache(maxsize=1024)
def audits_needed(share: float, within: float = WITHIN) -> int:
    """Return the least number of equal audits whose Wilson interval is no wider than twice `within`.

    Raises ValueError unless 0 < within < 0.5.
    """
    if not 0 < within < 0.5:
        raise ValueError(f"no half of an interval: {within}")
    low, high = 0, 1
    while wilson(share, high).width > 2 * within and high < _MOST:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if wilson(share, middle).width > 2 * within:
            low = middle
        else:
            high = middle
    return high


def audits_wanting(found: Share, population: float = math.inf, within: float = WITHIN) -> int:
    """Return how many audits more would narrow the interval, if they come out as those so far.

    Of a finite population fewer are needed, n / (1 + n / N) (Cochran 1977, section 4.4).
    """
    if found.value is not None and found.interval.width <= 2 * within:
        return 0
    needed = audits_needed(_ASSUMED if found.value is None else round(found.value, 3), within)
    # The effective size holds the correction for a finite population already; what is counted here are audits.
    size = found.effective if math.isinf(population) else found.effective / (1 + found.effective / population)
    needed_now = needed if math.isinf(population) else needed / (1 + needed / population)
    # Audits of unequal weight say less than their number.
    wanting = max(1, math.ceil((needed_now - size) * (found.judged / size if size else 1.0)))
    return wanting if math.isinf(population) else min(wanting, max(1, math.ceil(population - found.judged)))


def share_to_draw(least: float, seen: int, drawn: int, right: float | None) -> float:
    """Return the share to draw next: larger the more audits are wanting beyond those drawn, never below `least`.

    `seen` entries passed unseen so far, `drawn` of them were drawn, and a share `right` of those audited was right
    (None: none was audited). With 0 as the least share nothing is drawn.
    """
    if not least:
        return 0.0
    missing = audits_needed(_ASSUMED if right is None else round(right, 3)) - drawn
    return max(least, min(MOST_SHARE, missing / max(LEAST_AHEAD, seen)))
