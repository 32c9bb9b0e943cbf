"""Which of the entries that passed unseen are audited. Pure.

Within a stratum it is a systematic sample with a random start (Madow and Madow 1944): the shares are summed from a
start between 0 and 1, and an entry is drawn where the sum passes a whole number. So each is drawn with the
probability of the share, and of n entries never fewer than n times the share, rounded down. The first of a stratum
is always drawn, so that none goes without an audit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Lower bounds of the bands of confidence, in per cent.
BANDS = (0, 90, 93, 96, 99)


@dataclass(frozen=True, slots=True)
class Stratum:
    """What an entry is drawn by. Never a name."""

    #: Key of the profile; "" for none.
    form: str
    #: "" for unknown.
    language: str
    #: Who recognised the text; "text" where nothing had to be recognised.
    provider: str
    #: Lower bound of the band of confidence, in per cent.
    band: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """Whether an entry is audited."""

    #: The stratum's sum, this entry included.
    total: float
    #: With which probability it was drawn; None where it was not.
    probability: float | None


def band_of(confidence: float) -> int:
    """Return the lower bound, in per cent, of the band that holds a confidence."""
    # A bound that was stored as a float belongs to its own band.
    return max(bound for bound in BANDS if bound <= max(0.0, 100 * confidence + 1e-4))


def draw(total: float | None, share: float, start: float) -> Drawn:
    """Return whether the next entry of a stratum is drawn.

    `total` is the stratum's sum before it, None for its first entry; `start` is uniform between 0 and 1 and counts
    only then. With a share of 0 nothing is drawn. Raises ValueError for a share beyond 0 and 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"no share: {share}")
    if total is None:
        return Drawn(start, 1.0 if share else None)
    passed = math.floor(total + share) > math.floor(total)
    return Drawn(total + share, share if passed else None)
